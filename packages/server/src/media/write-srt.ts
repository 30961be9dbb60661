import { cleanCueText } from './cue-text.js'
import { places } from './subtitles.js'

const positions = new Map(Object.entries(places).map(([digit, settings]) => [settings, `{\\an${digit}}`]))

/** Writes clean WebVTT as SubRip, which only knows bold, italics, underlines and nine positions. */
export const writeSrt = (vtt: string): string =>
  vtt
    .split('\n\n')
    .flatMap((block) => {
      const lines = block.split('\n')
      const at = lines.findIndex((line) => line.includes(' --> '))
      if (at < 0) return []
      const [start = '', , end = '', ...settings] = (lines[at] ?? '').split(' ')
      const text = srtText(lines.slice(at + 1).join('\n'))
      const place = positions.get(settings.join(' ')) ?? ''
      const times = `${start} --> ${end}`.replaceAll('.', ',')
      return text === '' ? [] : [`${times}\n${place}${text}\n`]
    })
    .map((cue, index) => `${index + 1}\n${cue}`)
    .join('\n')

const unknownTag = /<\/?(?:c|v|lang|ruby|rt)(?:[.\s][^>]*)?>/g
const className = /<([biu])\.[^>]*>/g
const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const likeTiming = /^\s*[-+]?\d{1,6}\s*:.*-->/m

/** Unescapes the text, unless readers would then take it for a tag or for the times of another cue. */
function srtText(text: string): string {
  const known = cleanCueText(text.replace(unknownTag, '').replace(className, '<$1>'))
  const plain = known.replace(/&(?:lt|gt|amp);/g, (sign) => signs[sign] ?? sign)
  return cleanCueText(plain) === known && !likeTiming.test(plain) ? plain : known
}
