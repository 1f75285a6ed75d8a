/** Section 4: a real model. */
export default {
  's4.name': 'A real model',
  's4.heading': 'The same four steps, in a real model',
  's4.p1': 'A model is a file of numbers, one layer after the other, and it computes in that order. So it need not be here whole before you '
    + 'can look: as soon as a layer has arrived, the words can pass through it.',
  's4.p2': 'How far you go is up to you. Each rung of this ladder names its price first.',
  's4.p3': 'Qwen3.5-0.8B has 24 layers, and only every fourth computes a table that can be looked at. The others keep a running summary: '
    + 'nothing to draw. Pick a layer, then two heads that share a notebook, and compare.',
  's4.note.title': 'Nothing comes unasked',
  's4.note': 'Until you press a button, everything here is computed by the small model that ships with this page. Whatever runs, the code is the same.',
  's4.note2.title': 'Why Q is not kept',
  's4.note2': 'A new word asks once, with its own query. What it asks are the keys of all words before it. Those must stay; a spent question need not.',
};
