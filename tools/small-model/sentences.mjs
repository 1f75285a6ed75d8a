/**
 * The sentence generator: what the small models read. Each kind asks for one skill that attention is good for, and
 * returns one short document. Two marks are not part of the text: '|' where a Chinese word ends, '^' before a word that
 * what came before decides (most often or always).
 */

/** @typedef {ReturnType<typeof import('./random.mjs').createChoices>} Choices */

const PLACE_DOINGS = {
  公园: ['散步', '跑步', '放风筝'],
  湖边: ['散步', '钓鱼'],
  图书馆: ['看书', '写字'],
  商店: ['买菜', '买茶'],
};
const WEATHER = [
  { words: ['不错', '很好', '晴朗'], places: ['公园', '公园', '公园', '湖边'] },
  { words: ['不好', '很冷', '很糟'], places: ['图书馆', '图书馆', '图书馆', '商店'] },
];

/** The weather, two words back, decides where we go; a second sentence takes the place up again. */
function weather(/** @type {Choices} */ r) {
  const { words, places } = r.pick(WEATHER);
  const place = r.pick(places);
  const plan = `${r.pick(['今天', '明天', '周末'])}|天气|${r.pick(words)}|，|我们去|^${place}`;
  const end = r.chance(0.7) ? `|${r.pick(PLACE_DOINGS[place])}|。` : '|。';
  return plan + end + (r.chance(0.4) ? `|^${place}|里|有|很多|人|。` : '');
}

const HOMES = { cat: 'mat', dog: 'rug', bird: 'branch', frog: 'stone', horse: 'grass' };
const ANIMALS = Object.keys(HOMES);

/** The animal, four words back, decides what it sits on; 'It' is that animal. */
function animal(/** @type {Choices} */ r) {
  const who = r.pick(ANIMALS);
  const place = HOMES[r.chance(0.9) ? who : r.pick(ANIMALS)];
  const look = r.chance(0.4) ? `${r.pick(['small', 'old', 'black', 'white'])} ` : '';
  const first = `The ${look}${who} ${r.pick(['sat', 'lay', 'slept'])} on the ^${place}.`;
  return first + (r.chance(0.4) ? ` It is a ${r.pick(['happy', 'quiet', 'young'])} ^${who}.` : '');
}

export const ZH_PEOPLE = { 她: ['小红', '小丽', '小兰'], 他: ['小明', '小刚', '小军'] };
const ZH_THINGS = [
  ['一本|书', '看书'], ['一个|球', '踢球'], ['一支|笔', '写字'], ['一杯|茶', '喝茶'], ['一首|歌', '唱歌'],
];

/** The pronoun stands for one of two people, and what that person has decides what that person does. */
function peopleZh(/** @type {Choices} */ r) {
  const things = r.sample(ZH_THINGS, 2);
  const told = r.sample(/** @type {const} */ (['她', '他']), 2)
    .map((pronoun, i) => ({ pronoun, name: r.pick(ZH_PEOPLE[pronoun]), has: things[i][0], does: things[i][1] }));
  const asked = r.sample(told, 2);
  return `${told.map(({ name, has }) => `${name}|有|${has}`).join('|，|')}|。|` +
    `${asked.map(({ pronoun, does }) => `${pronoun}|在|^${does}`).join('|，|')}|。`;
}

export const EN_PEOPLE = { She: ['Anna', 'Mary', 'Lucy'], He: ['Tom', 'Ben', 'Sam'] };
const EN_THINGS = [['book', 'reads'], ['ball', 'kicks'], ['song', 'sings'], ['letter', 'writes'], ['cake', 'eats']];

/** The same in English. */
function peopleEn(/** @type {Choices} */ r) {
  const things = r.sample(EN_THINGS, 2);
  const told = r.sample(/** @type {const} */ (['She', 'He']), 2)
    .map((pronoun, i) => ({ pronoun, name: r.pick(EN_PEOPLE[pronoun]), thing: things[i][0], does: things[i][1] }));
  const asked = r.sample(told, 2);
  return `${told.map(({ name, thing }) => `${name} has a ${thing}`).join(' and ')}. ` +
    asked.map(({ pronoun, does, thing }) => `${pronoun} ^${does} the ^${thing}.`).join(' ');
}

const NOUNS = [['key', 'keys'], ['book', 'books'], ['cup', 'cups'], ['flower', 'flowers']];
const PLACES = [['table', 'tables'], ['door', 'doors'], ['window', 'windows']];

/** The verb agrees with the first noun, whatever stands between. */
function agreementEn(/** @type {Choices} */ r) {
  const number = r.below(2);
  const between = Array.from({ length: r.pick([1, 1, 2]) },
    () => ` ${r.pick(['near', 'by'])} the ${r.pick(r.pick(PLACES))}`).join('');
  return `The ${r.pick(NOUNS)[number]}${between} ^${['is', 'are'][number]} ${r.pick(['old', 'new', 'red', 'clean'])}.`;
}

const MEASURES = { 一只: ['猫', '狗', '鸟'], 一本: ['书'], 一杯: ['茶', '水'], 一朵: ['花'], 一个: ['球', '杯子'] };

/** The measure word fits the noun that comes after the adjective. */
function agreementZh(/** @type {Choices} */ r) {
  const measure = r.pick(Object.keys(MEASURES));
  const look = r.chance(0.8) ? `很|${r.pick(['旧', '新', '小', '大', '漂亮'])}|的|` : '';
  return `${r.pick(['门口', '屋里', '桌子|上'])}|有|${measure}|${look}${r.pick(MEASURES[measure])}|。`;
}

const PAIRS = [['(', ')'], ['[', ']'], ['{', '}']];

/** What was opened last is closed first. */
function brackets(/** @type {Choices} */ r) {
  const open = [];
  let text = 'Brackets:';
  for (let left = 2 + r.below(5); left > 0 || open.length > 0;) {
    if (left > 0 && open.length < 4 && (open.length === 0 || r.chance(0.6))) {
      const [opening, closing] = r.pick(PAIRS);
      open.push(closing);
      text += ` ${opening}`;
      left--;
    } else {
      text += ` ^${open.pop()}`;
    }
  }
  return text;
}

const EN_ITEMS = ['red', 'blue', 'green', 'black', 'white', 'one', 'two', 'three', 'four', 'five'];
const ZH_ITEMS = ['红', '蓝', '绿', '黑', '白', '一', '二', '三', '四', '五'];

/** Mostly short: who cannot yet repeat one word learns nothing from five. */
const LENGTHS = [1, 1, 2, 2, 3, 4];

/** Say the list again. */
function copyEn(/** @type {Choices} */ r) {
  const list = r.sample(EN_ITEMS, r.pick(LENGTHS));
  return `Copy ${list.join(' ')}: ^${list.join(' ^')}.`;
}

/** The same in Chinese. */
function copyZh(/** @type {Choices} */ r) {
  const list = r.sample(ZH_ITEMS, r.pick(LENGTHS));
  return `跟我念|：|${list.join('|')}|，|^${list.join('|^')}|。`;
}

/** Kinds of document. */
export const KINDS = Object.freeze({
  weather, animal, peopleZh, peopleEn, agreementZh, agreementEn, brackets, copyZh, copyEn,
});
/** The two kinds that the page's prompts begin come twice as often. */
export const SHARES = Object.freeze({ weather: 2, animal: 2 });
