/** An address of the dashboard names its channel: /dashboard/c/<channel>/videos. */
const prefix = /^\/c\/([0-9a-f]{24})(?=\/|$)/

const base = '/dashboard'

/** The id of the channel that an address names. */
export const channelIn = (href: string): string | undefined =>
  prefix.exec(href.startsWith(base) ? href.slice(base.length) : href)?.[1]

/** The same address without its channel. */
export const addressWithoutChannel = (href: string): string => {
  const id = channelIn(href)
  return id ? href.replace(`/c/${id}`, '') : href
}

let linked = channelIn(window.location.pathname)

/** The channel that links name. */
export const linkedChannel = {
  get: () => linked,
  set(id: string | undefined): void {
    linked = id
  },
}

/** For the router, whose routes know nothing of channels. */
export const channelRewrite = {
  input({ url }: { readonly url: URL }): URL {
    url.pathname = url.pathname.replace(prefix, '')
    return url
  },
  output({ url }: { readonly url: URL }): URL {
    if (linked) url.pathname = `/c/${linked}${url.pathname}`
    return url
  },
}
