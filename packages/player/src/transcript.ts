import { clock } from './times.js'
import { findIn, type Line, lineAt, loadLines, type Piece, type SubtitleFile } from './transcript-lines.js'

export const transcriptMarkup = /* html */ `
<section class="transcript" aria-label="Transcript" hidden>
  <header>
    <h2>Transcript</h2>
    <select class="language" aria-label="Language" hidden></select>
    <button type="button" class="close" aria-label="Close the transcript">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>
    </button>
    <input type="search" class="search" placeholder="Search" aria-label="Search the transcript">
  </header>
  <p class="found" role="status"></p>
  <ol class="lines"></ol>
</section>`

export interface Transcript {
  /** The subtitles to choose from. The first one is shown. */
  set(subtitles: readonly SubtitleFile[], language: string | undefined): void
  open(): void
  close(): void
}

const nodeOf = ({ text, isMatch }: Piece): Node =>
  isMatch
    ? Object.assign(document.createElement('mark'), { textContent: text })
    : document.createTextNode(text)

const countOf = (count: number) => `${count === 0 ? 'No' : count} ${count === 1 ? 'line' : 'lines'} found`

/** The lines beside the film: click one to go there, or search in them. */
export function createTranscript(
  panel: HTMLElement,
  video: HTMLVideoElement,
  onClose: () => void,
): Transcript {
  const find = <T extends Element>(selector: string) => panel.querySelector(selector) as T
  const list = find<HTMLOListElement>('.lines')
  const search = find<HTMLInputElement>('.search')
  const found = find<HTMLElement>('.found')
  const languages = find<HTMLSelectElement>('.language')
  let subtitles: readonly SubtitleFile[] = []
  let lines: readonly Line[] = []
  let buttons: readonly HTMLButtonElement[] = []
  let present = -1
  let loaded = ''

  async function load(): Promise<void> {
    const { value: file } = languages
    if (loaded === file) return
    loaded = file
    show([])
    found.textContent = 'Loading…'
    const next = await loadLines(file).catch(() => undefined)
    if (loaded !== file) return
    if (next) show(next)
    else {
      found.textContent = 'The transcript could not be loaded.'
      loaded = ''
    }
  }

  function show(next: readonly Line[]): void {
    lines = next
    buttons = lines.map(({ start }) => {
      const button = document.createElement('button')
      const time = Object.assign(document.createElement('time'), { textContent: clock(start) })
      button.type = 'button'
      button.tabIndex = -1
      button.append(time, document.createElement('span'))
      return button
    })
    list.replaceChildren(
      ...buttons.map((button) => {
        const item = document.createElement('li')
        item.append(button)
        return item
      }),
    )
    present = -1
    filter()
    follow()
  }

  /** Shows a line if it matches the search, and marks the matches. Returns whether it does. */
  function filterLine(button: HTMLButtonElement, { text }: Line): boolean {
    const pieces = findIn(text, search.value)
    button.parentElement?.toggleAttribute('hidden', !pieces)
    if (pieces) button.lastElementChild?.replaceChildren(...pieces.map(nodeOf))
    return pieces !== undefined
  }

  function filter(): void {
    const count = lines.filter((line, index) => {
      const button = buttons[index]
      return button && filterLine(button, line)
    }).length
    const isSearch = search.value.trim() !== ''
    found.textContent = isSearch ? countOf(count) : ''
    reachable(visible()[0])
  }

  const visible = () => buttons.filter((button) => !button.parentElement?.hidden)

  /** One line can be reached with Tab; the arrow keys lead to the others. */
  function reachable(line: HTMLButtonElement | undefined): void {
    for (const button of buttons) button.tabIndex = button === line ? 0 : -1
  }

  /** Marks the line that is spoken, and scrolls to it unless the viewer is reading elsewhere. */
  function follow(): void {
    if (panel.hidden) return
    const now = lineAt(lines, video.currentTime)
    if (now === present) return
    buttons[present]?.removeAttribute('aria-current')
    present = now
    const button = buttons[now]
    if (!button) return
    button.setAttribute('aria-current', 'true')
    if (list.matches(':hover, :focus-within') || button.parentElement?.hidden) return
    reachable(button)
    // scrollIntoView would also scroll the page.
    const middle = button.offsetTop - list.offsetTop - (list.clientHeight - button.offsetHeight) / 2
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    list.scrollTo({ top: middle, behavior: isCalm ? 'instant' : 'smooth' })
  }

  function seek(button: HTMLButtonElement | undefined): void {
    const line = button && lines[buttons.indexOf(button)]
    if (line) video.currentTime = line.start
  }

  function move(event: KeyboardEvent): void {
    const shown = visible()
    const at = shown.findIndex((button) => button.matches(':focus'))
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: shown.length - 1,
    }
    const next = shown[steps[event.key] ?? -1]
    if (at === -1 || !next) return
    event.preventDefault()
    reachable(next)
    next.focus()
  }

  list.addEventListener('click', ({ target }) => seek((target as Element).closest('button') ?? undefined))
  list.addEventListener('keydown', move)
  search.addEventListener('input', filter)
  search.addEventListener('keydown', (event) => {
    const [first] = visible()
    if (event.key === 'Enter') seek(first)
    if (event.key !== 'ArrowDown' || !first) return
    event.preventDefault()
    first.focus()
  })
  languages.addEventListener('change', () => void load())
  find('.close').addEventListener('click', onClose)
  for (const name of ['timeupdate', 'seeking']) video.addEventListener(name, follow)

  return {
    set(next, language) {
      subtitles = next
      languages.replaceChildren(...subtitles.map(({ file, label }) => new Option(label, file)))
      languages.value = (subtitles.find((each) => each.language === language) ?? subtitles[0])?.file ?? ''
      languages.hidden = subtitles.length < 2
      if (!panel.hidden) void load()
    },
    open() {
      panel.hidden = false
      void load().then(follow)
    },
    close() {
      panel.hidden = true
    },
  }
}
