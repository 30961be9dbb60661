import { type HtmlValue, html } from '../../lib/html.js'
import type { Brand } from './brand.js'
import { hiddenInputs } from './form-parts.js'
import { layout } from './layout.js'

export interface Approval {
  readonly brand: Brand
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly consumerEmail: string
  readonly appTitle: string
  readonly device: {
    readonly type?: string | null
    readonly pin?: string
    readonly askedFrom: string
    readonly askedAt: Date
  }
  /** If set, the page says how long ago the device asked; else the date and time. */
  readonly now?: Date
}

/** Asks a viewer whether a device may use the account, with details to recognise the right device. */
export function approvePage({
  brand,
  action,
  hidden,
  consumerEmail,
  appTitle,
  device,
  now,
}: Approval): string {
  return layout({
    title: 'Link this device?',
    brand,
    body: html`<h1>Link this device?</h1>
<p class="quiet">It will be signed in to <bdi>${brand.title}</bdi> as you.</p>
<dl class="facts">
${device.pin && fact('PIN', html`<span class="code" dir="ltr">${device.pin}</span>`)}
${fact('App', appTitle)}
${device.type && fact('Device', device.type)}
${fact('Asked', html`<time datetime="${device.askedAt.toISOString()}">${whenAsked(device.askedAt, now)}</time>`)}
${fact('From', device.askedFrom)}
${fact('Account', consumerEmail)}
</dl>
<p class="notice">Only go on if you see ${device.pin ? 'this' : 'the'} PIN on your own screen. If somebody sent it to you, cancel.</p>
<form method="post" action="${action}">
${hiddenInputs(hidden)}
<button class="main" name="decision" value="allow">Link device</button>
<button name="decision" value="deny">Cancel</button>
</form>`,
  })
}

const fact = (name: string, value: HtmlValue) =>
  html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function whenAsked(askedAt: Date, now: Date | undefined): string {
  const minutes = now ? Math.floor((now.getTime() - askedAt.getTime()) / 60_000) : Number.POSITIVE_INFINITY
  if (minutes >= 60) return `${dateAndTime.format(askedAt)} UTC`
  if (minutes < 1) return 'Just now'
  return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
}
