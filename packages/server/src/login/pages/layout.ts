import { type Html, html, pageStart } from '../../lib/html.js'
import { webAddress } from '../../lib/web-address.js'
import { type Brand, brandStyle } from './brand.js'
import { style } from './style.js'

export interface Layout {
  readonly title: string
  readonly brand?: Brand
  readonly body: Html
}

/** The complete document around a page's content. */
export function layout({ title, brand, body }: Layout): string {
  const heading = html`${pageStart}<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<meta name="robots" content="noindex">
<title>${[title, brand?.title].filter(Boolean).join(' · ')}</title>
`
  const page = html`</head>
<body>
<div class="page">
${brand && header(brand)}
<main class="card">
${body}
</main>
${brand && footer(brand)}
</div>
</body>
</html>
`
  return heading.html + styleSheet(style) + styleSheet(brandStyle(brand)) + page.html
}

const styleSheet = (css: string) => css && `<style>${css}</style>\n`

function header({ title, logo_url }: Brand): Html {
  const logo = webAddress(logo_url)
  return html`<header class="brand">${
    logo
      ? html`<img src="${logo.href}" alt="${title}" referrerpolicy="no-referrer">`
      : html`<bdi>${title}</bdi>`
  }</header>`
}

function footer({ title, support_url }: Brand) {
  const help = webAddress(support_url)
  return (
    help && html`<footer class="help"><a href="${help.href}">Get help from <bdi>${title}</bdi></a></footer>`
  )
}
