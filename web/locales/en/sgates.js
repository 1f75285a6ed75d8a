/** Prose around figures 17 and 20 to 23. */
export default {
  's5.measured.heading': 'Do real models do this?',
  's5.measured.p1': 'They do, and it can be counted: for every layer, how much of the attention lands on the first token, and how long the value is that '
    + 'waits there. Much attention on a short value is a head with nothing to say.',
  's5.measured.note.title': 'One sentence, one measure',
  's5.measured.note': 'The second half of the queries, all heads, mean. Early queries see few words, so the first one would get a large share anyhow.',
  's6.map.heading': 'A tap for every number',
  's6.map.p1': 'In a whole model each head has one gate for every number it brings back: 256 of them in Qwen3.5-0.8B, fewer in a small one. Draw all '
    + 'of them at once and you can see who speaks at which word, and who stays out of it.',
  's6.map.note.title': 'Take and keep',
  's6.map.note': 'The row of shares says where a head took from. The square says how much of it is kept. A busy row over a square of shut gates is work thrown away.',
  's6.follow.heading': 'How silence arrives',
  's6.follow.p1': 'A shut gate is not yet a silent head: something still has to be multiplied and added. Follow one head to the end and watch how little '
    + 'there is to add.',
  's6.follow.note.title': 'Only ever added',
  's6.follow.note': 'The stream is never overwritten. Adding almost nothing leaves it as it was; that is what silence means here.',
  's6.edit.heading': 'Cause, not correlation',
  's6.edit.p1': 'A picture of a shut gate shows what happened, not what it was good for. So reach in: shut a head, open them all, take the first token away, '
    + 'and let the model guess again.',
  's6.edit.note.title': 'KL in one line',
  's6.edit.note': 'How much more a word drawn from the old guess surprises the new one: 0 when nothing moved, in nats.',
};
