/** Prose around figures 14, 15, 16, 18 and 30. */
export default {
  's5.name': 'Nothing to say',
  's5.heading': 'Handing in a blank sheet',
  's5.p1': 'Sometimes a head has nothing to look for. Then its query is zero, every key scores the same, and softmax shares out a full 1 '
    + 'all the same. What comes back is an average nobody asked for, and it is added to the stream.',
  's5.note.title': 'Noise in the stream',
  's5.note': 'The stream only adds, it never erases. An average brought by a head with no question is noise that every later layer has to read around.',
  's5.kitchen.heading': 'The cook who has to pour',
  's5.kitchen.p1': 'Think of a kitchen where every cook must add a full ladle to every dish. A cook with nothing to add looks for something that '
    + 'changes nothing: the water tank at the door.',
  's5.dig.heading': 'A tank of your own',
  's5.dig.p1': 'Models find this way out by themselves. They let one value shrink to almost nothing and send the idle heads there. You can '
    + 'do it by hand.',
  's5.dig.note.title': 'Attention sink',
  's5.dig.note': 'A token that takes much attention and gives nearly nothing. Usually the first one.',
  's6.steps.p1': 'Back to the head with the blank sheet. It still brings its average; now a gate stands behind it.',
  's8.timeline.heading': 'Many hands, one complaint',
  's8.timeline.p1': 'The gate did not fall from the sky. Several people met the same trouble and cured it in different places of the same formula.',
};
