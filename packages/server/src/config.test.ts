import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, settings } from './config.js'

test('an empty environment is enough', () => {
  const { config, problems } = readConfig({})
  assert.deepEqual(problems, [])
  assert.deepEqual(
    [
      config.port,
      config.host,
      config.apiUrl,
      config.loginUrl,
      config.playerUrl,
      config.databaseUrl,
      config.secretKey,
    ],
    [
      8080,
      '127.0.0.1',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8080',
      undefined,
      undefined,
    ],
  )
})

test('what is set is taken, trimmed, and what follows from it follows', () => {
  const { config, problems } = readConfig({
    PORT: ' 9000 ',
    HOST: '::1',
    PLAYER_URL: 'https://play.example.com//',
    LOG_LEVEL: '',
  })
  assert.deepEqual(problems, [])
  assert.equal(config.apiUrl, 'http://[::1]:9000')
  assert.equal(config.loginUrl, config.apiUrl)
  assert.equal(config.playerUrl, 'https://play.example.com')
  assert.equal(config.logLevel, 'info')
})

test('every problem is named, and only problems are', () => {
  const wrong = {
    PORT: '0',
    DATABASE_CONNECTIONS: '1',
    CACHE_MB: '1.5',
    API_URL: 'ftp://x',
    DATABASE_URL: 'localhost',
    SECRET_KEY: 'short',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'yaml',
  }
  const { problems } = readConfig(wrong)
  assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(wrong).sort())
  for (const problem of problems) assert.match(problem, /\.$|makes one\.$/)
})

test('a problem never repeats a secret', () => {
  const { problems } = readConfig({ SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://user:hunter2@host/x' })
  assert.equal(problems.length, 2)
  for (const problem of problems) assert.ok(!problem.includes('hunter2'))
})

test('every setting says what it does in a sentence', () => {
  for (const { about } of Object.values(settings)) assert.match(about, /^\S.*\.$/)
})
