import { createDialogs } from './dialogs.js'
import { keepFocus, listenForKeys, listenOnPage } from './keys.js'
import { browserStore } from './position.js'
import { readPreferences, savePreferences } from './preferences.js'
import { rememberChoices } from './remembered.js'
import { copyText, linkAt } from './share-link.js'
import { clock } from './times.js'
import { createTranscript } from './transcript.js'
import { readSubtitles } from './transcript-lines.js'

/** What the menu offers beside playback: the transcript, the look of captions, a link, the keys. */
export interface Tools {
  /** Follows the attributes `subtitles`, `transcript` and `share-url`. */
  update(): void
  /** Keys for the whole page, until the signal. */
  takePageKeys(signal: AbortSignal): void
}

/** Pixels from which a transcript has room beside the film. */
const roomBeside = 760
const toastMs = 2500

/** Items without a submenu fire nothing of their own for keys. */
function onChoose(menu: HTMLElement, item: HTMLElement, act: () => void): void {
  const choose = () => {
    menu.hidden = true
    act()
  }
  item.addEventListener('click', choose)
  item.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose()
  })
}

export function createTools(
  host: HTMLElement,
  root: ShadowRoot,
  controller: HTMLElement,
  video: HTMLVideoElement,
): Tools {
  const find = (selector: string) => root.querySelector(selector) as HTMLElement
  const menu = find('media-settings-menu')
  const [panel, toast, button, copyItem] = [
    find('.transcript'),
    find('.toast'),
    find('.transcript-button'),
    find('.copy-link'),
  ] as const
  const focusFilm = () => controller.focus({ preventScroll: true })

  const store = browserStore()
  const dialogs = createDialogs(
    root,
    find('.cue-style') as HTMLStyleElement,
    readPreferences(store).captionStyle,
    (captionStyle) => savePreferences(store, { captionStyle }),
    focusFilm,
  )
  rememberChoices(video, controller)
  const keys = { controller, video, showKeys: dialogs.showKeys }
  listenForKeys(keys)
  keepFocus(controller, find('.shade'))

  let hiding: ReturnType<typeof setTimeout> | undefined
  function say(text: string): void {
    toast.textContent = text
    toast.hidden = false
    clearTimeout(hiding)
    hiding = setTimeout(() => {
      toast.hidden = true
    }, toastMs)
  }

  async function copyLink(): Promise<void> {
    const link = linkAt(host.getAttribute('share-url') ?? '', video.currentTime)
    const isCopied = await copyText(root, link)
    say(isCopied ? 'Link copied' : link)
    focusFilm()
  }

  const transcript = createTranscript(panel, video, () => {
    host.removeAttribute('transcript')
    focusFilm()
  })
  let given: string | null = null
  let place: 'beside' | 'below' | undefined

  function placeTranscript(): void {
    const isOpen = host.hasAttribute('transcript') && given !== null && given !== '[]'
    place = !isOpen ? undefined : host.clientWidth >= roomBeside ? 'beside' : 'below'
    if (place) host.dataset.transcript = place
    else delete host.dataset.transcript
    if (isOpen === panel.hidden) (isOpen ? transcript.open : transcript.close)()
    button.setAttribute('aria-pressed', String(isOpen))
  }

  function toggleTranscript(): void {
    host.toggleAttribute('transcript')
    if (host.hasAttribute('transcript')) panel.querySelector('input')?.focus()
    else focusFilm()
  }

  new ResizeObserver(placeTranscript).observe(host)
  button.addEventListener('click', toggleTranscript)
  onChoose(menu, find('.show-transcript'), toggleTranscript)
  onChoose(menu, find('.show-caption-style'), dialogs.showCaptionStyle)
  onChoose(menu, find('.show-keys'), dialogs.showKeys)
  onChoose(menu, copyItem, () => void copyLink())
  // The menu says to which second the link leads.
  const nameLink = () => {
    const label = copyItem.querySelector('span')
    if (label && !copyItem.hidden) label.textContent = `Copy link at ${clock(video.currentTime)}`
  }
  video.addEventListener('timeupdate', nameLink)

  return {
    update() {
      const subtitles = host.getAttribute('subtitles')
      if (subtitles !== given) {
        given = subtitles
        const files = readSubtitles(subtitles)
        if (files.length === 0) given = null
        transcript.set(files, readPreferences(store).captions ?? undefined)
        for (const element of [button, find('.show-transcript')]) element.hidden = files.length === 0
      }
      copyItem.hidden = !host.getAttribute('share-url')
      nameLink()
      placeTranscript()
    },
    takePageKeys: (signal) => listenOnPage(keys, signal),
  }
}
