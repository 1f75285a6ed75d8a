/** What is said while a script or a catalogue is on its way or lost: both languages, there before any catalogue is. */
export default {
  en: {
    'arrival.coming': 'This figure is on its way. If it does not come:',
    'arrival.coming.short': 'This figure is on its way.',
    'arrival.late': 'This figure did not arrive',
    'arrival.late.more': 'Its script could not be fetched. The rest of the page goes on; it is tried again when the connection is back.',
    'arrival.words': 'The English words of this page did not arrive',
    'arrival.words.more': 'They could not be fetched. They are tried again when the connection is back.',
    'arrival.page': 'The script of this page did not arrive',
    'arrival.page.more': 'The text can be read; the figures need the script. The page is loaded again when the connection is back.',
    'arrival.retry': 'Try again',
    'arrival.reload': 'Load the page again',
  },
  'zh-CN': {
    'arrival.coming': '这幅图正在加载。如果一直没有出现：',
    'arrival.coming.short': '这幅图正在加载。',
    'arrival.late': '这幅图没有加载出来',
    'arrival.late.more': '它的脚本没有取到。页面其余部分不受影响；网络恢复后会自动再试。',
    'arrival.words': '本页的中文文字没有加载出来',
    'arrival.words.more': '文字没有取到。网络恢复后会自动再试。',
    'arrival.page': '本页的脚本没有加载出来',
    'arrival.page.more': '正文可以阅读，图需要脚本。网络恢复后页面会自动重新加载。',
    'arrival.retry': '重试',
    'arrival.reload': '重新加载页面',
  },
};
