/**
 * The console: sends a request with the values of its form, and shows it as code. The key is kept for this tab only, and sent
 * to this origin only.
 */
;(() => {
  const { make, buildForm } = globalThis.consoleForm
  const keptKey = 'zoetrope-reference-key'
  const mostShown = 200_000

  const dialog = make('dialog', { className: 'console' })
  dialog.setAttribute('aria-labelledby', 'try-title')
  dialog.innerHTML = `<form>
<h2 id="try-title"></h2>
<p class="path"></p>
<label for="try-key">Key or access token</label>
<p class="with-button"><input id="try-key" type="password" spellcheck="false" autocomplete="off" aria-describedby="try-key-about"> <button type="button" name="forget">Forget</button></p>
<p class="facts" id="try-key-about">Kept until you close this tab, and sent to this server only.</p>
<div class="places"></div>
<p class="dry" hidden><label><input type="checkbox"> Check only, change nothing (<code>dry_run</code>)</label></p>
<p class="buttons"><button class="main"></button> <button type="button" name="close">Close</button></p>
<div class="question" role="alert" hidden></div>
</form>
<div role="status" class="outcome"></div>
<pre class="answer" tabindex="0" hidden><code></code></pre>
<details class="headers" hidden><summary>Headers of the answer</summary><pre tabindex="0"><code></code></pre></details>
<details class="sent"><summary>This request as code</summary><pre tabindex="0"><code></code></pre><pre tabindex="0"><code></code></pre></details>`
  document.body.append(dialog)
  const find = (selector) => dialog.querySelector(selector)
  const [form, key, places, question, outcome] = ['form', '#try-key', '.places', '.question', '.outcome'].map(
    find,
  )
  const [send, answer, headers] = ['.main', '.answer', '.headers'].map(find)
  const isDry = find('.dry input')
  const [curl, sdk] = dialog.querySelectorAll('.sent code')
  let loading
  let current

  async function definition() {
    loading ??= fetch('/openapi.json').then((reply) => reply.json())
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  /** The kind of a key is in its beginning. */
  function credential(text) {
    if (text === '') return []
    if (text.startsWith('zk_app_')) return ['X-App-Key', '']
    return text.startsWith('zk_') ? ['X-Api-Key', ''] : ['Authorization', 'Bearer ']
  }

  /** The request as the form has it now. */
  function requestOf() {
    const { path, method } = current
    const ids = current.inPath()
    const query = { ...current.query(), ...(isDry.checked ? { dry_run: 'true' } : {}) }
    const search = new URLSearchParams(query)
    const place = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name]))
    const fields = current.fields()
    return {
      ...{ method, ids, query, fields },
      address: search.size > 0 ? `${place}?${search}` : place,
      headers: current.headers(),
      body: Object.keys(fields).length > 0 ? bodyOf(fields) : undefined,
      isChange: method !== 'GET' && !isDry.checked,
    }
  }

  function bodyOf(fields) {
    const { wrapper, type } = current
    if (Object.values(fields).some((value) => value instanceof File)) return formOf(fields, wrapper)
    if (type !== 'application/json') return new URLSearchParams(fields)
    return JSON.stringify(wrapper ? { [wrapper]: fields } : fields)
  }

  function formOf(fields, wrapper) {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields))
      data.append(wrapper && !(value instanceof File) ? `${wrapper}[${name}]` : name, value)
    return data
  }

  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

  function curlOf({ method, address, headers: own, body }) {
    const [name, before] = credential(key.value.trim())
    const forms = (flag) =>
      [...body].map(
        ([field, value]) => `${flag} ${quoted(`${field}=${value.name ? `@${value.name}` : value}`)}`,
      )
    const sent = {
      string: () => [`--json ${quoted(body)}`],
      object: () => forms(body instanceof FormData ? '-F' : '-d'),
      undefined: () => [],
    }
    return [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(document.body.dataset.server + address)}`,
      ...(name ? [`-H "${name}: ${before}$KEY"`] : []),
      ...Object.entries(own).map((each) => `-H ${quoted(each.join(': '))}`),
      ...sent[typeof body](),
    ].join(' \\\n  ')
  }

  const inCode = (value) => JSON.stringify(value, null, 2).replace(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:')

  function callOf({ method, ids, query, fields, body }) {
    const isList = method === 'GET' && !current.call.endsWith('.get')
    const given = [
      ...Object.values(ids),
      ...(body ? [fields] : []),
      ...(Object.keys(query).length > 0 ? [isList ? query : { query }] : []),
    ]
    return `await ${current.call}(${given.map(inCode).join(', ')})`
  }

  function refresh() {
    if (!current) return
    const request = requestOf()
    curl.textContent = curlOf(request)
    sdk.parentElement.hidden = !current.call
    sdk.textContent = current.call ? callOf(request) : ''
    send.textContent = request.isChange ? `Send ${request.method} …` : `Send ${request.method}`
    question.hidden = true
  }

  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text
    }
  }

  function say(text, isGood) {
    outcome.textContent = text
    outcome.dataset.ok = String(isGood)
  }

  async function transmit() {
    for (const each of [question, answer, headers]) each.hidden = true
    say('Sending …', true)
    const { method, address, headers: own, body } = requestOf()
    const [name, before] = credential(key.value.trim())
    const begun = performance.now()
    try {
      const reply = await fetch(location.origin + address, {
        method,
        headers: {
          ...(name ? { [name]: before + key.value.trim() } : {}),
          ...own,
          ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        },
        body,
        credentials: 'omit',
      })
      const text = await reply.text()
      say(`${reply.status} ${reply.statusText} · ${Math.round(performance.now() - begun)} ms`, reply.ok)
      headers.hidden = false
      headers.querySelector('code').textContent = [...reply.headers].map((each) => each.join(': ')).join('\n')
      answer.hidden = text === ''
      answer.firstChild.textContent = pretty(text).slice(0, mostShown)
    } catch (error) {
      say(`The request was not answered (${error.message}).`, false)
    }
  }

  function confirmFirst() {
    const yes = make('button', {
      type: 'button',
      className: 'main',
      textContent: `Yes, send ${current.method}`,
    })
    const no = make('button', { type: 'button', textContent: 'No' })
    yes.addEventListener('click', transmit)
    no.addEventListener('click', () => {
      question.hidden = true
      send.focus()
    })
    const text = `This changes data in the channel of the key, at ${location.host}. Send it?`
    question.replaceChildren(make('p', { textContent: text }), make('p', { className: 'buttons' }, yes, no))
    question.hidden = false
    yes.focus()
  }

  form.addEventListener('input', refresh)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!current || !form.reportValidity()) return
    if (requestOf().isChange) confirmFirst()
    else void transmit()
  })
  key.addEventListener('input', () => sessionStorage.setItem(keptKey, key.value.trim()))
  find('[name=forget]').addEventListener('click', () => {
    sessionStorage.removeItem(keptKey)
    key.value = ''
    key.focus()
    refresh()
  })
  find('[name=close]').addEventListener('click', () => dialog.close())

  async function open(operation) {
    const { method, path } = operation.dataset
    find('h2').textContent = operation.querySelector('h2').textContent
    find('.path').textContent = `${method.toUpperCase()} ${path}`
    for (const each of [answer, headers, question]) each.hidden = true
    places.textContent = ''
    current = undefined
    key.value = sessionStorage.getItem(keptKey) ?? ''
    say('Loading …', true)
    dialog.showModal()
    try {
      current = buildForm(await definition(), { path, method, places, onChange: refresh })
      find('.dry').hidden = !current.canBeDry
      isDry.checked = current.canBeDry
      say('', true)
      refresh()
    } catch (error) {
      say(`The form could not be made (${error.message}). Close it, and try again.`, false)
    }
  }

  for (const place of document.querySelectorAll('.try')) {
    place.hidden = false
    place.querySelector('button').addEventListener('click', () => open(place.closest('.operation')))
  }
})()
