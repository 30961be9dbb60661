import { type AudioTrackList, createAudioTracks } from './audio-tracks.js'
import { createChapterView } from './chapter-view.js'
import type { WholeChapter } from './chapters.js'
import { hasMediaSource } from './hls-engine.js'
import { markup } from './markup.js'
import { panelStyles } from './panel-styles.js'
import type { Notice } from './problems.js'
import { createRungList, type RungList } from './renditions.js'
import { prepareSettingsMenu } from './settings-menu.js'
import { styles } from './styles.js'

/** The elements in a player's shadow root. */
export interface View {
  readonly video: HTMLVideoElement
  readonly rungs: RungList
  readonly sounds: AudioTrackList
  readonly controller: HTMLElement
  readonly again: HTMLButtonElement
  /** Leads to the page of the video, where viewers can get access. */
  readonly access: HTMLAnchorElement
  show(notice: Notice | undefined): void
  setTitle(title: string): void
  setPoster(url: string | null): void
  setLogo(url: string | null): void
  setStoryboard(url: string | null): void
  setChapters(chapters: readonly WholeChapter[]): void
  /** Shows artwork instead of a picture. */
  setAudio(isAudio: boolean): void
}

function createVideo(rungs: RungList, sounds: AudioTrackList): HTMLVideoElement {
  const video = document.createElement('video')
  video.slot = 'media'
  video.playsInline = true
  video.preload = 'metadata'
  // Without this, browsers refuse a storyboard from another origin.
  video.crossOrigin = 'anonymous'
  Object.assign(video, { videoRenditions: rungs })
  // Safari has a list of its own, which hls.js does not fill.
  if (hasMediaSource()) Object.defineProperty(video, 'audioTracks', { value: sounds })
  return video
}

export function createView(root: ShadowRoot): View {
  const template = document.createElement('template')
  template.innerHTML = `<style>${styles}${panelStyles}</style><style class="cue-style"></style>${markup}`
  const content = template.content.cloneNode(true) as DocumentFragment
  const find = <T extends HTMLElement>(selector: string): T => {
    const found = content.querySelector<T>(selector)
    if (!found) throw new Error(`The player's markup has no ${selector}.`)
    return found
  }
  const controller = find('media-controller')
  const poster = find<HTMLImageElement>('.poster')
  const cover = find<HTMLImageElement>('.cover')
  const logo = find<HTMLImageElement>('.logo')
  const heading = find('.heading')
  const box = find('.notice')
  const progress = find('.progress')
  const again = find<HTMLButtonElement>('.again')
  const access = find<HTMLAnchorElement>('.access')
  const [title, noticeTitle, noticeText, done, perCent] = [
    '.title',
    '.notice-title',
    '.notice-text',
    '.done',
    '.per-cent',
  ].map((selector) => find(selector)) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement]
  const rungs = createRungList()
  const sounds = createAudioTracks()
  const video = createVideo(rungs, sounds)
  controller.prepend(video)
  const range = find('media-time-range')
  const chapterMenu = find<Parameters<typeof createChapterView>[2]>('.chapter-list')
  const bigPlay = find('.big-play')
  const captions = find('media-captions-button')
  prepareSettingsMenu(find('media-settings-menu'), controller)
  root.replaceChildren(content)
  // media-chrome makes it a plain button, which cannot be checked.
  captions.setAttribute('role', 'switch')
  const chapters = createChapterView(video, range, chapterMenu)
  // The button disappears when playback starts. Without this, the focus would move to the page and keys would stop
  // working.
  bigPlay.addEventListener('click', () => controller.focus({ preventScroll: true }))

  function showProgress(value: number | undefined): void {
    progress.hidden = perCent.hidden = value === undefined
    if (value === undefined) return
    const whole = Math.round(Math.min(100, Math.max(0, value)))
    progress.setAttribute('aria-valuenow', String(whole))
    done.style.width = `${whole}%`
    perCent.textContent = `${whole}%`
  }

  return {
    video,
    rungs,
    sounds,
    controller,
    again,
    access,
    show(notice) {
      box.hidden = notice === undefined
      controller.inert = notice !== undefined
      if (!notice) return
      box.dataset.code = notice.code
      box.setAttribute('role', notice.code === 'preparing' ? 'status' : 'alert')
      // Writing the same text again would make a screen reader repeat it.
      if (noticeTitle.textContent !== notice.title) noticeTitle.textContent = notice.title
      if (noticeText.textContent !== notice.text) noticeText.textContent = notice.text
      showProgress(notice.progress)
      again.hidden = !notice.retry
      access.hidden = !notice.locked || !access.href
    },
    setTitle(text) {
      title.textContent = text
      heading.hidden = text === ''
      // Otherwise the player's title would pop up as a tooltip.
      controller.title = ''
      controller.setAttribute('aria-label', text === '' ? 'Video player' : `Video player: ${text}`)
    },
    setLogo(url) {
      logo.hidden = !url
      if (url) logo.src = url
    },
    setPoster(url) {
      for (const picture of [poster, cover]) {
        picture.hidden = !url
        if (url) picture.src = url
        else picture.removeAttribute('src')
      }
      const background = url ? `url(${JSON.stringify(new URL(url, document.baseURI).href)})` : null
      for (const element of [box, controller]) element.style.setProperty('--poster', background)
    },
    setChapters: chapters.set,
    setAudio: (isAudio) => controller.toggleAttribute('data-audio', isAudio),
    setStoryboard(url) {
      video.querySelector('track[label="thumbnails"]')?.remove()
      if (!url) return
      const track = Object.assign(document.createElement('track'), {
        kind: 'metadata',
        label: 'thumbnails',
        default: true,
        src: url,
      })
      video.append(track)
    },
  }
}
