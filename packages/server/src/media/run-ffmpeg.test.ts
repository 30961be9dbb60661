import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { before, test } from 'node:test'
import { makeClip } from '../../../../test/support/clip.js'
import { openTestFfmpeg } from '../../../../test/support/ffmpeg.js'
import { until } from '../../../../test/support/patience.js'
import { runSources } from '../../../../test/support/run-sources.js'
import { inputLimits, inputName } from './allowed.js'
import { cpuSeconds } from './cpu-seconds.js'
import { blamesFile, MediaError } from './media-error.js'
import type { OpenedFfmpeg } from './open-ffmpeg.js'
import { probeSource } from './probe.js'
import { type FfmpegPlan, runFfmpeg, type TakeOutput } from './run-ffmpeg.js'

let ffmpeg: OpenedFfmpeg
before(async () => {
  ffmpeg = (await openTestFfmpeg()).need()
})

/** An endless run: the clip in a loop, at real time. */
const endless = async (): Promise<FfmpegPlan> => ({
  program: 'ffmpeg',
  args: [
    ...[...inputLimits(''), '-re', '-stream_loop', '-1', '-i', inputName(await makeClip())],
    ...['-c', 'copy', '-f', 'mpegts', 'pipe:3'],
  ],
  pipes: 1,
  files: [],
})
const swallow: TakeOutput = async (bytes) => {
  for await (const _ of bytes);
}
const code = (expected: string) => (error: unknown) => error instanceof MediaError && error.code === expected

/** Processes are looked up in /proc. */
const hasNoProc = process.platform !== 'linux' && 'only Linux lists processes so'

/** The ffmpeg processes below this one, including zombies. */
async function children(parent = process.pid): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')))
  return stats.filter((stat) => new RegExp(`\\(ff(mpeg|probe)\\) \\w ${parent} `).test(stat))
}

/** The processes that this one has started, whatever they run by now. */
async function startedHere(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')))
  return ids.filter((_, index) => new RegExp(`\\) \\w ${process.pid} `).test(stats[index] ?? ''))
}

test('nothing is lost if the program has ended before its output is read', { skip: hasNoProc }, async () => {
  const earlier = await startedHere()
  const chunks: Buffer[] = []
  const takeLate: TakeOutput = async (bytes) => {
    await until('The end of ffmpeg', async () => {
      const left = await startedHere()
      return left.every((id) => earlier.includes(id))
    })
    for await (const chunk of bytes) chunks.push(chunk)
  }
  const args = [...inputLimits(''), '-i', inputName(await makeClip()), '-map', '0:a', '-c', 'copy']
  const plan = { program: 'ffmpeg', args: [...args, '-f', 'adts', 'pipe:3'], pipes: 1, files: [] } as const
  await runFfmpeg(ffmpeg, plan, { outputs: [takeLate] })
  assert.ok(Buffer.concat(chunks).length > 10_000)
})

test('bytes arrive as they are made, with progress', async () => {
  const path = await makeClip()
  const seen: number[] = []
  let size = 0
  const plan: FfmpegPlan = {
    program: 'ffmpeg',
    args: [...inputLimits(''), '-i', inputName(path), '-c', 'copy', '-f', 'mpegts', 'pipe:3'],
    pipes: 1,
    files: [],
  }
  await runFfmpeg(ffmpeg, plan, {
    outputs: [
      async (bytes) => {
        for await (const chunk of bytes) size += chunk.length
      },
    ],
    onProgress: (seconds) => seen.push(seconds),
  })
  assert.ok(size > 10_000)
  assert.ok((seen.at(-1) ?? 0) > 1.5, String(seen))
})

test('an abort kills the process at once and leaves none behind', { skip: hasNoProc }, async () => {
  const controller = new AbortController()
  const run = runFfmpeg(ffmpeg, await endless(), { outputs: [swallow], signal: controller.signal })
  setTimeout(() => controller.abort(), 300)
  await assert.rejects(run, code('aborted'))
  assert.deepEqual(await children(), [])
  await assert.rejects(
    runFfmpeg(ffmpeg, await endless(), { outputs: [swallow], signal: controller.signal }),
    code('aborted'),
  )
})

test('time and output are limited', { skip: hasNoProc }, async () => {
  const plan = await endless()
  const slow = runFfmpeg(ffmpeg, plan, { outputs: [swallow], limits: { seconds: 0.4 } })
  // On a busy machine it may also have waited for a processor most of the time.
  await assert.rejects(slow, (error) => code('time_limit')(error) || code('starved')(error))
  const large = runFfmpeg(ffmpeg, plan, { outputs: [swallow], limits: { outputBytes: 20_000 } })
  await assert.rejects(large, code('output_limit'))
  assert.deepEqual(await children(), [])
})

test('the time that a process had a processor is known', { skip: hasNoProc }, async () => {
  const busy = spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
  const idle = spawn('sleep', ['60'], { stdio: 'ignore' })
  try {
    await until('A second of work', async () => ((await cpuSeconds(busy.pid ?? 0)) ?? 0) > 1)
    assert.ok(((await cpuSeconds(idle.pid ?? 0)) ?? 1) < 0.5)
  } finally {
    for (const each of [busy, idle]) each.kill('SIGKILL')
  }
  assert.equal(await cpuSeconds(2 ** 30), undefined)
})

test('a run that the machine had no time for is not blamed on the film', { skip: hasNoProc }, async () => {
  const busy = Array.from({ length: 3 * availableParallelism() }, () =>
    spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  )
  const args = [
    ...inputLimits(''),
    '-stream_loop',
    '-1',
    '-i',
    inputName(await makeClip()),
    '-f',
    'null',
    '-',
  ]
  const plan: FfmpegPlan = { program: 'ffmpeg', args, pipes: 0, files: [] }
  try {
    const run = runFfmpeg(ffmpeg, plan, { nice: 19, limits: { seconds: 1.5 } })
    await assert.rejects(run, (error) => code('starved')(error) && !blamesFile(error))
  } finally {
    for (const each of busy) each.kill('SIGKILL')
  }
})

test('a file that grows too large is given up', async () => {
  const path = await makeClip()
  const target = `${path}.large.ts`
  const plan: FfmpegPlan = {
    program: 'ffmpeg',
    args: [...inputLimits(''), '-i', inputName(path), '-c', 'copy', '-f', 'mpegts', inputName(target)],
    pipes: 0,
    files: [target],
  }
  await assert.rejects(runFfmpeg(ffmpeg, plan, { limits: { outputBytes: 20_000 } }), code('output_limit'))
})

test('memory is limited', {
  skip: process.platform !== 'linux' && 'only Linux limits memory so',
}, async () => {
  const plan = { ...(await endless()) }
  const run = runFfmpeg(ffmpeg, plan, {
    outputs: [swallow],
    limits: { memoryBytes: 60 * 1024 ** 2, seconds: 5 },
  })
  await assert.rejects(run, (error) => error instanceof MediaError && error.code !== 'time_limit')
})

test("an exception of the output's consumer ends the run and is rethrown", { skip: hasNoProc }, async () => {
  const run = runFfmpeg(ffmpeg, await endless(), {
    outputs: [
      async (bytes) => {
        for await (const _ of bytes) throw new RangeError('enough')
      },
    ],
  })
  await assert.rejects(run, /enough/)
  assert.deepEqual(await children(), [])
})

test('a failure is explained in a sentence, with the last lines for the log', async () => {
  const plan: FfmpegPlan = {
    program: 'ffmpeg',
    args: [...inputLimits(''), '-i', inputName('/nowhere.mp4'), '-f', 'null', '-'],
    pipes: 0,
    files: [],
  }
  await assert.rejects(runFfmpeg(ffmpeg, plan), (error) => {
    assert.ok(error instanceof MediaError)
    assert.equal(error.message, 'The file to read is not there.')
    assert.match(error.lines.join('\n'), /nowhere\.mp4/)
    return true
  })
})

test('the program has no network if the system allows that', async (context) => {
  if (ffmpeg.sandbox.lacks.some((line) => line.includes('network'))) return context.skip('not allowed here')
  const wrapped = ffmpeg.sandbox.wrap(['ffmpeg'], { memoryBytes: 1, fileBytes: 1, nice: 10 })
  assert.match(
    wrapped.join(' '),
    /unshare .*--net -- .*prlimit .*setpriv --pdeathsig=KILL.*nice -n 10 ffmpeg$/,
  )
})

test('a killed worker takes its ffmpeg with it', async (context) => {
  if (ffmpeg.sandbox.lacks.some((line) => line.includes('outlive'))) return context.skip('not possible here')
  const plan = { ...(await endless()), pipes: 0 }
  const args = [...plan.args.slice(0, -1), '-']
  const script = `
    import { openTestFfmpeg } from ${JSON.stringify(new URL('../../../../test/support/ffmpeg.ts', import.meta.url).href)}
    import { runFfmpeg } from ${JSON.stringify(new URL('./run-ffmpeg.ts', import.meta.url).href)}
    const ffmpeg = (await openTestFfmpeg()).need()
    await runFfmpeg(ffmpeg, ${JSON.stringify({ ...plan, args: args.with(-2, 'null') })})`
  const node = [...runSources, '--input-type=module', '-e', script]
  const worker = spawn(process.execPath, node, { stdio: 'ignore' })
  const find = async () => (await children(worker.pid))[0]?.split(' ')[0]
  const id = await until('ffmpeg', find)
  worker.kill('SIGKILL')
  // Zombies stay listed until init reaps them, which may never happen in containers.
  await until('The end of ffmpeg', async () =>
    /^$|\(ffmpeg\) Z /.test(await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')),
  )
})

test('an uninstalled program is not blamed on the file', async () => {
  const programs = { ...ffmpeg.programs, ffprobe: '/nowhere/ffprobe' }
  const looking = probeSource({ ...ffmpeg, programs }, await makeClip())
  await assert.rejects(looking, (error) => code('not_started')(error) && !blamesFile(error))
})

test('a program killed from outside is not blamed on the file', { skip: hasNoProc }, async () => {
  const plan = await endless()
  const running = runFfmpeg(ffmpeg, plan, {
    outputs: [
      async (bytes) => {
        for await (const _ of bytes) await endOne()
        throw new Error('It ended too early.')
      },
    ],
  })
  await assert.rejects(running, (error) => error instanceof MediaError && error.code === 'killed')
})

/** Kills an ffmpeg of this process, unless it has already ended. */
async function endOne(): Promise<void> {
  const [first] = await children(process.pid)
  try {
    if (first) process.kill(Number(first.split(' ')[0]), 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}
