import { html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { layout } from './layout.js'

/** Tells a viewer what happened and what to do next. */
export const donePage = ({ brand, title, text }: { brand: Brand; title: string; text: string }): string =>
  layout({
    title,
    brand,
    body: html`<div role="status">
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  })

export interface ErrorPage {
  /** Absent while the channel is unknown. */
  readonly brand?: Brand
  readonly title: string
  readonly text: string
  /** A page of ours on which to continue. */
  readonly link?: { readonly url: string; readonly label: string }
}

/** Tells a viewer why they cannot continue, if there is no app to return to. */
export const errorPage = ({ brand, title, text, link }: ErrorPage): string =>
  layout({
    title,
    brand,
    body: html`<div role="alert">
<h1>${title}</h1>
<p>${text}</p>
</div>
${link && html`<p class="after"><a href="${link.url}">${link.label}</a></p>`}`,
  })
