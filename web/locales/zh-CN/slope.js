/** 图 24：门的斜率。 */
export default {
  'slope.title': '斜率 g(1 − g)',
  'slope.hill': '斜率 g(1 − g)',
  'slope.slow': '走得慢',
  'slope.z': '门的打分 z',
  'slope.say': 'z = {z}：门 {gate}，斜率 {slope}。',
  'slope.caption': '**拖动**曲线上的圆环，或选中它用方向键。直线是切线：z 走一小步，门跟着动多少；下面的小山就是这份陡峭，最高 0.25。',
  'slope.therefore': '同样的误差，门半开时学得最快。',
};
