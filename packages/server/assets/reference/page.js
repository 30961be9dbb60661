/**
 * What the pages of the reference can do with scripts: search the menu, and send a request. Without them they are read like
 * any other page.
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

  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'try-title')
  dialog.innerHTML = `<form method="dialog">
<h2 id="try-title"></h2>
<label for="try-address">Address</label><input id="try-address" spellcheck="false" autocomplete="off">
<label for="try-key">Key or access token</label><input id="try-key" spellcheck="false" autocomplete="off">
<div class="sent"><label for="try-body">Body</label><textarea id="try-body" rows="8" spellcheck="false"></textarea></div>
<p class="buttons"><button class="main">Send</button> <button type="button">Close</button></p>
</form>
<div role="status"><p class="facts"></p><pre tabindex="0" hidden><code></code></pre></div>`
  document.body.append(dialog)
  const [address, key, body] = ['address', 'key', 'body'].map((name) => dialog.querySelector(`#try-${name}`))
  const send = dialog.querySelector('.main')
  const outcome = dialog.querySelector('.facts')
  const answer = dialog.querySelector('pre')
  let method = 'GET'

  /** The kind of a key is in its beginning. The page keeps none: it is gone when the page is left. */
  const credential = (text) => {
    if (text === '') return {}
    if (text.startsWith('zk_app_')) return { 'X-App-Key': text }
    return text.startsWith('zk_') ? { 'X-Api-Key': text } : { Authorization: `Bearer ${text}` }
  }

  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text
    }
  }

  const mostShown = 200_000

  dialog.querySelector('button[type]').addEventListener('click', () => dialog.close())
  dialog.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const hasBody = body.value.trim() !== '' && method !== 'GET'
    const begun = performance.now()
    outcome.textContent = 'Sending …'
    answer.hidden = true
    try {
      const reply = await fetch(address.value, {
        method,
        headers: {
          ...credential(key.value.trim()),
          ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(hasBody ? { body: body.value } : {}),
        credentials: 'omit',
      })
      const text = await reply.text()
      outcome.textContent = `${reply.status} ${reply.statusText} · ${Math.round(performance.now() - begun)} ms`
      answer.hidden = text === ''
      answer.firstChild.textContent = pretty(text).slice(0, mostShown)
    } catch (error) {
      outcome.textContent = `The request was not answered (${error.message}).`
    }
  })

  for (const place of document.querySelectorAll('.try')) {
    place.hidden = false
    place.addEventListener('click', ({ target }) => {
      const button = target.closest('button')
      const operation = place.closest('.operation')
      if (!button) return
      method = operation.dataset.method.toUpperCase()
      dialog.querySelector('h2').textContent = operation.querySelector('h2').textContent
      address.value = document.body.dataset.server + operation.dataset.path
      body.value = button.dataset.body
      dialog.querySelector('.sent').hidden = method === 'GET'
      send.textContent = `Send ${method}`
      outcome.textContent = ''
      answer.hidden = true
      dialog.showModal()
    })
  }

  addEventListener('hashchange', () => {
    openNamed()
    markCurrent()
  })
  openNamed()
  markCurrent()
})()
