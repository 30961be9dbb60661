/** The form of the console: fields for the path, the query, the headers and the body, made from the definition. */
;(() => {
  const make = (tag, facts = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), facts)
    element.append(...children)
    return element
  }

  /** What a reference stands for. */
  function resolve(openapi, value) {
    if (!value?.$ref) return value
    const steps = value.$ref.split('/').slice(1)
    return steps.reduce((at, step) => at[step], openapi)
  }

  /** What a field holds: the first that applies. */
  const kinds = {
    file: ({ format }) => format === 'binary',
    boolean: ({ types }) => types.includes('boolean'),
    choice: ({ enum: choices = [] }) => choices.length > 0 && choices.length < 40,
    json: ({ types }) => types.length === 0 || types.includes('object') || types.includes('array'),
    number: ({ types }) => types.includes('integer') || types.includes('number'),
    text: () => true,
  }
  const kindOf = (schema) => {
    const facts = { ...schema, types: [schema.type ?? []].flat() }
    return Object.keys(kinds).find((kind) => kinds[kind](facts))
  }

  const choose = (choices, value) =>
    make(
      'select',
      {},
      ...choices.map((text) =>
        make('option', { textContent: text, selected: String(value) === String(text) }),
      ),
    )
  const input = (type, value = '') =>
    make('input', { type, step: 'any', spellcheck: false, autocomplete: 'off', value: value ?? '' })
  const controls = {
    file: () => make('input', { type: 'file' }),
    boolean: (_, value) => choose(['true', 'false'], value),
    choice: ({ enum: choices }, value) => choose(choices, value),
    json: (_, value) =>
      make('textarea', {
        ...{ rows: 4, spellcheck: false },
        value: value === undefined ? '' : JSON.stringify(value, null, 2),
      }),
    number: (_, value) => input('number', value),
    text: (_, value) => input('text', value),
  }

  const readers = {
    file: ({ files }) => files[0],
    boolean: ({ value }) => value === 'true',
    choice: ({ value }) => value,
    number: ({ value }) => Number(value),
    text: ({ value }) => value,
    json(control) {
      try {
        control.setCustomValidity('')
        return JSON.parse(control.value)
      } catch {
        control.setCustomValidity('Write this as JSON.')
        return control.value
      }
    },
  }

  /** The value of a field, as JSON has it. */
  function fieldValue({ kind, control, schema }) {
    const isEmpty = control.value === '' && [schema.type].flat().includes('null')
    return isEmpty ? null : readers[kind](control)
  }

  /** A group of the form: the values of one part of the request, to which others of the definition can be added. */
  function placeOf({ places, onChange }, heading, known, values) {
    const rows = []
    const list = make('div')
    const optional = known.filter(({ isRequired }) => !isRequired)
    const choice = choose(optional.map(({ name }) => name))
    choice.setAttribute('aria-label', `More for ${heading}`)

    function add(field, value) {
      const kind = kindOf(field.schema)
      const control = controls[kind](field.schema, value)
      const row = { ...field, kind, control }
      const about = make('p', { className: 'facts', textContent: field.about ?? '' })
      control.id = `try-${heading}-${field.name}`
      about.id = `${control.id}-about`
      control.setAttribute('aria-describedby', about.id)
      control.required = field.isRequired
      const remove = make('button', { type: 'button', textContent: '×', hidden: field.isRequired })
      remove.setAttribute('aria-label', `Remove ${field.name}`)
      const box = make(
        'div',
        { className: 'row' },
        make('label', { htmlFor: control.id, textContent: field.name }),
        make('p', { className: 'with-button' }, control, remove),
        about,
      )
      remove.addEventListener('click', () => {
        rows.splice(rows.indexOf(row), 1)
        box.remove()
        choice.focus()
        onChange()
      })
      rows.push(row)
      list.append(box)
      return control
    }

    const more = make('button', { type: 'button', textContent: 'Add' })
    more.addEventListener('click', () => {
      const field = optional.find(({ name }) => name === choice.value)
      const present = rows.find(({ name }) => name === choice.value)?.control
      ;(present ?? add(field, field.schema.default)).focus()
      onChange()
    })
    for (const field of known)
      if (field.isRequired || values[field.name] !== undefined) add(field, values[field.name])
    const chooser = make('p', { className: 'with-button', hidden: optional.length === 0 }, choice, more)
    const legend = make('legend', { textContent: heading })
    if (known.length > 0) places.append(make('fieldset', {}, legend, list, chooser))
    return () => Object.fromEntries(rows.map((row) => [row.name, fieldValue(row)]))
  }

  const bodyTypes = ['multipart/form-data', 'application/json', 'application/x-www-form-urlencoded']

  /** Most bodies have the fields of a record under its name, with files beside them. */
  function unwrapped(openapi, whole, example) {
    const all = Object.entries(whole.properties ?? {})
    const [[wrapper, inner] = [], ...others] = all.filter(([, { format }]) => format !== 'binary')
    if (others.length > 0 || !inner?.$ref) return { schema: whole, values: example }
    const record = resolve(openapi, inner)
    const files = all.filter(([name]) => name !== wrapper)
    const schema = { ...record, properties: { ...record.properties, ...Object.fromEntries(files) } }
    return { wrapper, schema, values: example[wrapper] ?? {} }
  }

  /** The fields of a body, and the values of the recorded example. */
  function bodyOf(openapi, { requestBody: { content } = { content: {} } }) {
    const { 'application/json': json } = content
    const whole = resolve(openapi, content[bodyTypes.find((type) => content[type])]?.schema) ?? {}
    const example = Object.values(json?.examples ?? {})[0]?.value ?? {}
    const { wrapper, schema, values } = unwrapped(openapi, whole, example)
    const { properties = {}, required = [] } = schema
    const known = Object.entries(properties).map(([name, each]) => ({
      name,
      schema: resolve(openapi, each),
      about: each.description,
      isRequired: required.includes(name),
    }))
    return { type: json ? 'application/json' : undefined, wrapper, known, values }
  }

  /** Builds the form of an operation, filled with the request that was recorded. */
  function buildForm(openapi, { path, method, ...on }) {
    const described = openapi.paths[path][method]
    const [curl, sdk] = described['x-codeSamples'] ?? []
    const recorded = new URL(curl?.source.match(/'(https?:\/\/[^']+)'/)?.[1] ?? path, location.origin)
    const parts = recorded.pathname.split('/')
    const given = (described.parameters ?? []).map((each) => resolve(openapi, each))
    /** In a path, a query and a header, everything is text. */
    const fieldsIn = (place) =>
      given
        .filter((each) => each.in === place && each.name !== 'dry_run')
        .map(({ name, description, required = false, schema }) => ({
          name,
          schema: { enum: schema.enum, type: schema.type === 'boolean' ? 'boolean' : 'string' },
          about: description,
          isRequired: required && schema.default === undefined,
        }))
    const ids = Object.fromEntries(path.split('/').map((part, index) => [part.slice(1, -1), parts[index]]))
    const { type, wrapper, known, values } = bodyOf(openapi, described)
    return {
      ...{ path, method: method.toUpperCase(), type, wrapper },
      call: sdk?.source.match(/^await ([\w.]+)/)?.[1],
      canBeDry: given.some(({ name }) => name === 'dry_run'),
      inPath: placeOf(on, 'path', fieldsIn('path'), ids),
      query: placeOf(on, 'query', fieldsIn('query'), Object.fromEntries(recorded.searchParams)),
      headers: placeOf(on, 'headers', fieldsIn('header'), {}),
      fields: placeOf(on, 'body', known, values),
    }
  }

  globalThis.consoleForm = { make, buildForm }
})()
