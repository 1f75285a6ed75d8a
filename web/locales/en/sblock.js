/** Prose around figures 6, 8, 13, 24 and 28. */
export default {
  's2.name': 'Many heads',
  's2.concat.heading': 'Eight pens, one line',
  's2.concat.p1': 'When the heads are done, their outputs are glued side by side and multiplied by W_O: for five words, [5, 256] × 8 becomes '
    + '[5, 2048]. It looks as if that last matrix stirs them together. Cut it into eight strips and look again.',
  's2.concat.note.title': 'No head waits for another',
  's2.concat.note': 'Inside a layer heads never see each other. What one found, another can use only in a later layer, through the stream.',
  's2.block.heading': 'One walk through the block',
  's2.block.p1': 'Now put the parts in a row. Nine stops lead from a word’s hidden state to what is added to it. Three layers in four take '
    + 'a shorter way, with no square at all.',
  's2.block.note.title': 'Two kinds of layer',
  's2.block.note': 'Of 24 layers every fourth is softmax attention, 6 in all. The other 18 carry a table of fixed size from word to word.',
  's4.additions.heading': 'What the textbook leaves out',
  's4.additions.p1': 'The attention of a real model has four parts more than the formula. Each answers one complaint. Two of them you can '
    + 'turn by hand below.',
  's4.additions.note.title': 'Where in the code',
  's4.additions.note': 'The norm, the turning and the gate are numbered steps of attention_forward in c/attention.c.',
  's7.slope.p1': 'One of the four factors belongs to the gate alone: the slope of its own curve. Move the point and see where a gate is '
    + 'quick to change its mind.',
  's8.shapes.heading': 'Say the shapes',
  's8.shapes.p1': 'Code for attention is a handful of lines, and every line changes a shape or leaves it alone. If the shapes are right, '
    + 'most of the mistakes are gone.',
  's8.shapes.note.title': 'Letters',
  's8.shapes.note': 'B sentences, T tokens, N the stream, H query heads, K key/value heads, d the size of a head. The same letters are used in '
    + 'every file of this project.',
};
