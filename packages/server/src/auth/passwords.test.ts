import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { afterEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseOptions } from '@node-rs/argon2'
import { ApiError } from '../errors.js'
import { hashPassword, newPassword, openPasswords, type Passwords } from './passwords.js'

const opened: Passwords[] = []
const open = (...options: Parameters<typeof openPasswords>) => {
  const passwords = openPasswords(...options)
  opened.push(passwords)
  return passwords
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((passwords) => passwords.close()))
})

/** How many threads of this process run at low priority, and whether the main thread does. */
async function readPriorities(): Promise<{ low: number; main: number }> {
  const ids = await readdir('/proc/self/task')
  const nice = async (id: string) => {
    const stat = await readFile(`/proc/self/task/${id}/stat`, 'utf8')
    // The niceness is the 17th number after the name in parentheses.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  }
  const all = await Promise.all(ids.map(nice))
  return { low: all.filter((value) => value === 19).length, main: await nice(String(process.pid)) }
}

test('the right password is accepted; a wrong one and an unknown account are not', async () => {
  const passwords = open()
  const hash = await passwords.hash('correct horse')
  assert.equal(await passwords.verify(hash, 'correct horse'), true)
  assert.equal(await passwords.verify(hash, 'Correct horse'), false)
  assert.equal(await passwords.verify(undefined, 'correct horse'), false)
  assert.equal(await passwords.verify(await hashPassword('another'), 'another'), true)
})

test('every hash has our cost parameters', async () => {
  const hashes = [await open().hash(newPassword()), await hashPassword(newPassword())]
  for (const hash of hashes) {
    const { memoryCost, timeCost, parallelism } = parseOptions(hash)
    assert.deepEqual(
      { memoryCost, timeCost, parallelism },
      { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    )
    assert.match(hash, /^\$argon2id\$/)
  }
})

test('an unknown account takes as long as a known one', async () => {
  const passwords = open({ threads: 1 })
  const hash = await passwords.hash('somebody')
  const time = async (known: string | undefined) => {
    const begun = performance.now()
    await passwords.verify(known, 'wrong')
    return performance.now() - begun
  }
  const times: Record<'some' | 'none', number[]> = { some: [], none: [] }
  const fastest = () => ({ some: Math.min(...times.some), none: Math.min(...times.none) })
  const areAlike = ({ some, none }: ReturnType<typeof fastest>) => none > some * 0.7 && none < some * 1.4
  // On a busy machine it takes more rounds until each case ran undisturbed once.
  for (let turn = 0; turn < 15 || (turn < 150 && !areAlike(fastest())); turn += 1) {
    times.some.push(await time(hash))
    times.none.push(await time(undefined))
  }
  assert.ok(areAlike(fastest()), JSON.stringify(fastest()))
})

test('other work continues while passwords are compared', async () => {
  const passwords = open()
  const hash = await passwords.hash('busy')
  const passwordCount = 20
  let working = true
  const all = Promise.all(
    Array.from({ length: passwordCount }, () => passwords.verify(hash, 'busy')),
  ).finally(() => {
    working = false
  })
  let turns = 0
  for (; working; turns += 1) await delay(1)
  await all
  // If they were compared on this thread, it would get at most one turn for each.
  assert.ok(turns > passwordCount * 2, `only ${turns} turns`)
})

test('with too many waiting, the next is asked to come back later', async () => {
  const passwords = open({ threads: 1, waiting: 3 })
  const hash = await hashPassword('patience')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => passwords.verify(hash, 'patience')),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  const refused = outcomes[4] as PromiseRejectedResult
  assert.ok(refused.reason instanceof ApiError)
  assert.equal(refused.reason.status, 503)
  assert.deepEqual(refused.reason.headers, { 'Retry-After': '1' })
  assert.equal(refused.reason.message, 'Too many sign-ins are under way. Try again in a moment.')
  assert.equal(await passwords.verify(hash, 'patience'), true)
})

test('a thread that dies fails only its own job and is replaced', async () => {
  const passwords = open({ threads: 1 })
  const hash = await hashPassword('phoenix')
  const broken = passwords.verify('this is no hash', 'phoenix')
  const after = passwords.verify(hash, 'phoenix')
  await assert.rejects(broken)
  assert.equal(await after, true)
})

test('only the threads have low priority, and closing ends them', {
  skip: process.platform !== 'linux' && 'priorities of threads are a matter of Linux',
}, async () => {
  assert.deepEqual(await readPriorities(), { low: 0, main: 0 })
  const passwords = open({ threads: 2 })
  const hash = await hashPassword('calm')
  assert.equal((await readPriorities()).low, 0, 'threads begin with the first job')
  await passwords.verify(hash, 'calm')
  assert.equal((await readPriorities()).low, 1, 'one job needs one thread')
  await Promise.all(Array.from({ length: 4 }, () => passwords.verify(hash, 'calm')))
  assert.deepEqual(await readPriorities(), { low: 2, main: 0 })

  await passwords.close()
  assert.deepEqual(await readPriorities(), { low: 0, main: 0 })
  await assert.rejects(passwords.verify(hash, 'calm'), /closed/)
})

test('closing fails running and waiting jobs', async () => {
  const passwords = open({ threads: 1 })
  const jobs = Promise.allSettled(Array.from({ length: 3 }, () => passwords.hash('late')))
  await passwords.close()
  assert.deepEqual(
    (await jobs).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
})
