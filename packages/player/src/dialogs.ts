import { type CaptionStyle, captionChoices, captionCss, choiceNames, fitStyle } from './caption-style.js'
import { keyHelp } from './keys.js'

const close = /* html */ `<button type="button" class="close" aria-label="Close">
  <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>
</button>`

const keyRows = keyHelp
  .map(([keys, does]) => {
    const shown = keys.map((key) => `<kbd>${key.replace('<', '&lt;')}</kbd>`).join(' ')
    return `<tr><th scope="row">${shown}</th><td>${does}</td></tr>`
  })
  .join('')

const selects = choiceNames
  .map((name) => {
    const { label, values } = captionChoices[name]
    const options = Object.entries(values).map(
      ([value, [text]]) => `<option value="${value}">${text}</option>`,
    )
    return `<label>${label}<select name="${name}">${options.join('')}</select></label>`
  })
  .join('')

/** Dialogs over the film: the keys, and the look of captions. */
export const dialogMarkup = /* html */ `
<dialog class="keys" aria-labelledby="keys-title">
  <header><h2 id="keys-title">Keyboard shortcuts</h2>${close}</header>
  <table><tbody>${keyRows}</tbody></table>
</dialog>
<dialog class="caption-style" aria-labelledby="caption-style-title">
  <header><h2 id="caption-style-title">Caption style</h2>${close}</header>
  <p class="sample"><span>This is how captions look.</span></p>
  <form method="dialog">${selects}</form>
</dialog>`

export interface Dialogs {
  showKeys(): void
  showCaptionStyle(): void
}

/** Lets the dialogs open, close, and change the captions of the video. */
export function createDialogs(
  root: ShadowRoot,
  cues: HTMLStyleElement,
  given: Partial<CaptionStyle> | undefined,
  onStyle: (style: CaptionStyle) => void,
  onClose: () => void,
): Dialogs {
  const [keys, look] = ['.keys', '.caption-style'].map((selector) => root.querySelector(selector)) as [
    HTMLDialogElement,
    HTMLDialogElement,
  ]
  for (const dialog of [keys, look]) {
    dialog.addEventListener('click', (event) => {
      const isOutside = event.target === dialog
      const isClose = (event.target as Element).closest('.close') !== null
      if (isOutside || isClose) dialog.close()
    })
    dialog.addEventListener('close', onClose)
  }
  keys.addEventListener('keydown', ({ key }) => key === '?' && keys.close())

  const sample = look.querySelector<HTMLElement>('.sample span')
  const fields = [...look.querySelectorAll('select')]
  const apply = (style: CaptionStyle) => {
    const css = captionCss(style)
    cues.textContent = `video::cue{${css}}`
    sample?.setAttribute('style', css)
  }
  const first = fitStyle(given)
  for (const field of fields) field.value = first[field.name as keyof CaptionStyle]
  apply(first)
  look.addEventListener('change', () => {
    const style = fitStyle(Object.fromEntries(fields.map(({ name, value }) => [name, value])))
    apply(style)
    onStyle(style)
  })
  return { showKeys: () => keys.showModal(), showCaptionStyle: () => look.showModal() }
}
