import { chapterAt, type WholeChapter } from './chapters.js'
import { clock, shownDuration, shownTime, spokenTime } from './times.js'

/** What media-chrome's menus have beside elements. */
interface Menu extends HTMLElement {
  readonly value: string
}

export interface ChapterView {
  /** Shows the chapters on the timeline and in the menu; none takes them away. */
  set(chapters: readonly WholeChapter[]): void
}

/** In cues, as in HTML, these two begin something. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Marks on the timeline, titles above it, a menu for keyboards and touch, and what screen readers say of the position. */
export function createChapterView(video: HTMLVideoElement, range: HTMLElement, menu: Menu): ChapterView {
  let chapters: readonly WholeChapter[] = []
  let track: TextTrack | undefined

  /** The track is what media-chrome draws the marks from. Once added, a track cannot be removed, only emptied. */
  function mark(): void {
    if (!track && chapters.length === 0) return
    track ??= video.addTextTrack('chapters', 'Chapters')
    track.mode = 'hidden'
    for (const cue of [...(track.cues ?? [])]) track.removeCue(cue)
    for (const { start, end, title } of chapters) track.addCue(new VTTCue(start, end, escaped(title)))
    // media-chrome reads the cues when the mode of a track has changed.
    track.mode = 'disabled'
    track.mode = 'hidden'
  }

  function list(): void {
    const items = chapters.map(({ start, title }) => {
      const item = document.createElement('media-chrome-menu-item')
      item.setAttribute('type', 'radio')
      item.setAttribute('value', String(start))
      // The menu above shows this of the chapter that was chosen last, which is soon not the one that plays.
      item.dataset.description = ''
      const time = Object.assign(document.createElement('span'), {
        slot: 'suffix',
        textContent: clock(start),
      })
      item.append(title, time)
      return item
    })
    for (const old of menu.querySelectorAll('media-chrome-menu-item')) old.remove()
    menu.append(...items)
  }

  const checkPresent = () => {
    const present = chapterAt(chapters, video.currentTime)
    for (const item of menu.querySelectorAll('media-chrome-menu-item'))
      item.setAttribute('aria-checked', String(item.getAttribute('value') === String(present?.start)))
  }

  menu.addEventListener('change', () => {
    const start = Number(menu.value)
    if (menu.value !== '' && Number.isFinite(start)) video.currentTime = start
  })
  for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, checkPresent)
  sayPosition(video, range, () => chapterAt(chapters, video.currentTime)?.title)

  return {
    set(next) {
      chapters = next
      mark()
      list()
      checkPresent()
    },
  }
}

/** Screen readers hear the chapter too, and the length as it is shown. media-chrome writes its own words at every step. */
function sayPosition(video: HTMLVideoElement, range: HTMLElement, chapter: () => string | undefined): void {
  const input = range.shadowRoot?.querySelector('input')
  if (!input) return
  const say = () => {
    const { currentTime, duration } = video
    if (!Number.isFinite(duration)) return
    const at = spokenTime(shownTime(currentTime, duration))
    const title = chapter()
    const words = `${at} of ${spokenTime(shownDuration(duration))}${title ? `, ${title}` : ''}`
    if (input.getAttribute('aria-valuetext') !== words) input.setAttribute('aria-valuetext', words)
  }
  new MutationObserver(say).observe(input, { attributeFilter: ['aria-valuetext'] })
}
