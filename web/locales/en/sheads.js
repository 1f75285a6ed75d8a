/** Prose around figures 3, 4, 5, 7, 10 and 27. */
export default {
  's1.scale.heading': 'Why the scores are made smaller',
  's1.scale.p1': 'Before softmax the scores are divided by the root of the vector’s width. It looks like a detail. Pull the width from 2 to 256, '
    + 'then switch the division off.',
  's1.scale.note.title': 'Root of the head size',
  's1.scale.note': '√d is √256 = 16 in Qwen3.5: d is the width of one head, not the 1,024 of the stream.',
  's2.heading': 'One head, one question',
  's2.p1': 'Language asks several things at once: what came just before, who is meant, where the sentence began. A head has one query for a '
    + 'word, so it can ask one of them. The way out is to run the same attention eight times side by side.',
  's2.p2': 'All of this happens inside a layer, on the way from text to the next token:',
  's2.forward': 'The whole forward pass',
  's2.forward.0': 'tokens',
  's2.forward.1': 'embedding',
  's2.forward.2': '24 layers',
  's2.forward.2.note': 'you are here',
  's2.forward.3': 'final norm',
  's2.forward.4': 'LM head',
  's2.forward.5': 'sampling',
  's2.note.title': 'Head',
  's2.note': 'One of several attentions that run side by side, with a query of its own; keys and values may be shared, see section 3. H counts them: 8 in Qwen3.5-0.8B.',
  's2.split.heading': 'Eight strips from one vector',
  's2.split.p1': 'The classic recipe tiles the stream: 1,024 / 8 = 128 numbers for each head. Qwen3.5-0.8B chose 256, twice that, so its eight '
    + 'queries together are wider than what came in.',
  's2.split.note.title': 'Not a slice',
  's2.split.note': 'A head does not cut its piece out of the vector. It multiplies all 1,024 numbers by its own rows of q_proj.',
  's2.rank.heading': 'Down and up again',
  's2.rank.p1': 'Why a W_O at all? Follow one head’s value from the stream and back. The way leads through a narrow door of 256 numbers, and that '
    + 'makes it cheap: half of what a free map would cost.',
  's2.rank.note.title': 'Low rank',
  's2.rank.note': 'A map through d numbers can move the stream in at most d directions. Eight such maps with their own doors cost what four free ones do.',
  's3.kv.heading': 'The bill for remembering',
  's3.kv.p1': 'A model that writes keeps the key and value of every word it has read, in each full layer. The weights have a fixed size; this '
    + 'cache grows with the conversation, and every new word has to read all of it.',
  's3.kv.note.title': 'Only six layers',
  's3.kv.note': 'Eighteen of the 24 layers carry a table of fixed size instead. The K/V bars count the six that keep every page; the linear layers have a bar of their own.',
  's3.who.heading': 'Who shares how much',
  's3.who.p1': 'Sharing costs a little: heads of a group can no longer look for different keys. One notebook for all saves most and costs most; '
    + 'groups of middling size get back nearly all the quality.',
  's3.who.mqa': '**One for all (MQA)**: PaLM, Falcon-7B. The idea is from 2019.',
  's3.who.gqa': '**Groups (GQA)**: Llama 3, Qwen3.5 and most open models since 2023.',
  's3.who.size': '**Group size**: 4 to 8 is usual; the larger Qwen3.5 models keep the 4 of the small one.',
  's3.who.source.size': 'the course chapter on GQA',
  's8.gate.p1': 'Open the weights and there is no gate matrix. q_proj has 4,096 rows, twice what eight queries need: the gates are in there, '
    + 'woven between the queries. Where you cut decides whether the model works.',
  's8.gate.note.title': 'In the code',
  's8.gate.note': '`view(B, T, 8, 512)`, then cut each 512 in the middle. Cutting the 4,096 in the middle gives the same shapes and other numbers.',
};
