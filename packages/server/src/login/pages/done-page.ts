import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { layout } from './layout.js'

export interface DonePage {
  readonly brand: Brand
  readonly title: string
  readonly text: string
}

/** Tells a viewer what happened and what to do next. */
export const donePage = ({ brand, title, text }: DonePage): string =>
  layout({
    title,
    brand,
    body: html`<div role="status">
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  })
