/**
 * What the pages of the reference can do with scripts: search the menu, and unfold what the address names. Without
 * them they are read like any other page.
 */
;(() => {
  const menu = document.querySelector('nav')
  const search = menu.querySelector('input')
  const none = menu.querySelector('.none')

  /** The record or operation that the address names may be folded up. */
  const openNamed = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    for (let at = named; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
    if (named?.closest('main')) named.scrollIntoView()
  }

  const markCurrent = () => {
    for (const link of menu.querySelectorAll('details a'))
      if (link.href === location.href) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }

  const folded = [...menu.querySelectorAll('details')].map((topic) => ({ topic, open: topic.open }))

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const { topic, open } of folded) {
      const heading = topic.querySelector('summary').textContent
      const matches = [...topic.querySelectorAll('li')].filter((item) => {
        const link = item.querySelector('a')
        const text = `${heading} ${link.textContent} ${link.title}`.toLowerCase()
        item.hidden = !words.every((word) => text.includes(word))
        return !item.hidden
      })
      found += matches.length
      topic.hidden = matches.length === 0
      topic.open = words.length > 0 || open
    }
    for (const heading of menu.querySelectorAll('h2'))
      heading.hidden = [...heading.nextElementSibling.querySelectorAll('details')].every(
        ({ hidden }) => hidden,
      )
    none.hidden = found > 0
  }

  search.closest('[hidden]').hidden = false
  search.addEventListener('input', filter)
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') menu.querySelector('details:not([hidden]) li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return
    event.preventDefault()
    search.focus()
  })

  addEventListener('hashchange', () => {
    openNamed()
    markCurrent()
  })
  openNamed()
  markCurrent()
})()
