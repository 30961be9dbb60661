import type { ErrorStatus } from '@zoetrope/contract'
import type { Brand } from './pages/brand.js'
import type { ErrorPage } from './pages/message-pages.js'

/** Why a viewer cannot continue, as a page. */
export class PageError extends Error {
  readonly status: ErrorStatus
  readonly title: string
  readonly brand: Brand | undefined
  readonly link: ErrorPage['link']
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ErrorStatus,
    title: string,
    text: string,
    {
      brand,
      link,
      headers = {},
    }: { brand?: Brand; link?: ErrorPage['link']; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(text)
    this.status = status
    this.title = title
    this.brand = brand
    this.link = link
    this.headers = headers
  }
}
