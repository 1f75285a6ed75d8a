/** F4 heads as lenses. */
export default {
  'lenses.title': 'Heads as lenses',
  'lenses.words': 'The old cat sat down',
  'lenses.pick': 'Lens',
  'lenses.self.name': 'itself',
  'lenses.previous.name': 'the word before',
  'lenses.determiner.name': 'back to the article',
  'lenses.sink.name': 'first token (sink)',
  'lenses.unclear.name': 'unclear',
  'lenses.noArticle': 'No word of this text can tell: it needs an article that is neither the first token, where a sink would look '
    + 'too, nor the word before.',
  'lenses.self.rule': '**Position.** Each word looks mostly at itself, and a little leaks to its neighbour: where am I?',
  'lenses.previous.rule': '**Recency.** Each word looks at the one just before it: what did I follow?',
  'lenses.determiner.rule': '**Grammar.** Later words look back to the article that opened the phrase: what do I belong to?',
  'lenses.map': '{name}: drawn by rule, rows ask, columns are asked',
  'lenses.say': '{name}. {rule}',
  'lenses.row': 'query',
  'lenses.col': 'looks at',
  'lenses.find': 'Find one in a real run',
  'lenses.finding': 'Running …',
  'lenses.found': 'Closest to “{name}” among {count} {count:head|heads} of {model}, by the mean share on the word the rule names:',
  'lenses.found.example': 'the small model that ships with this page',
  'lenses.head': 'layer {layer}, Q{head}: {share}',
  'lenses.caption': 'Drawn by hand, not measured. The weights do not say what a head is for; only its map on real text does, and real heads '
    + 'are messier and mix several questions.',
  'lenses.therefore': 'One head, one kind of question.',
};
