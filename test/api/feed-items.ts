/** An item of a feed of films. */
export const item = (guid: string, title: string, more = '') =>
  `<item><guid>${guid}</guid><pubDate>Sun, 15 Mar 2026 10:00:00 GMT</pubDate><media:title>${title}</media:title>
   <media:description>About ${title}</media:description><media:keywords>a, b</media:keywords>${more}
   <media:content url="https://films.example/${guid}.mp4" duration="10" width="640" height="360"/></item>`

/** A feed of films. */
export const feed = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Theirs</title>${items.join('')}</channel></rss>`
