import type { Readable } from 'node:stream'
import { limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { brokenOff } from '../errors.js'
import { bodyTooLarge, noTurn, paceOf, turnToSend, watchBody } from './body-bounds.js'
import type { BodyMeter } from './body-meter.js'
import { declaredBytes, gatherPieces, isLarge } from './body-pieces.js'
import { atOnce, type Pace, readGently } from './pace.js'

/** Refuses a body whose Content-Length is too large, before any of it is received. */
export function checkDeclared(request: FastifyRequest, most: number = limits.body_bytes.value): void {
  if (declaredBytes(request) > most) throw bodyTooLarge(most)
}

/** Receives and parses a body; a large one when its turn has come, and in slices. */
export async function takeInTurn<T>(
  request: FastifyRequest,
  payload: Readable,
  meter: BodyMeter,
  parse: (body: Buffer, pace: Pace) => Promise<T> | T,
): Promise<T> {
  const turn = isLarge(request) ? await turnToSend(request) : noTurn
  try {
    const body = await takeBody(request, payload, { meter })
    turn.keep()
    return await paceOf(request, atOnce)(() => parse(body, paceOf(request)))
  } finally {
    turn.leave()
  }
}

/** Receives the whole body of a request, within all limits. */
export async function takeBody(
  request: FastifyRequest,
  payload: Readable,
  { most = limits.body_bytes.value, meter = () => {} }: { most?: number; meter?: BodyMeter } = {},
): Promise<Buffer> {
  checkDeclared(request, most)
  return new Promise((resolve, reject) => {
    const bytes = gatherPieces(declaredBytes(request))
    const detach = () => {
      stopReading()
      payload.off('end', finish).off('close', breakOff)
    }
    const refuse = (why: unknown) => {
      detach()
      watch.end()
      reject(why)
    }
    const watch = watchBody(request, most, refuse)
    const take = (chunk: Buffer) => {
      try {
        meter(chunk)
        bytes.add(chunk)
        watch.note(chunk.length)
      } catch (why) {
        refuse(why)
      }
    }
    const finish = () => {
      detach()
      watch.complete()
      resolve(bytes.whole())
    }
    const breakOff = () => refuse(brokenOff())
    const stopReading = readGently(payload, paceOf(request, atOnce), take)
    payload.on('end', finish).on('close', breakOff)
    // Without a listener, the error of a broken connection would end the process.
    payload.on('error', () => {})
    // The client may have left while it was looked up.
    if (payload.destroyed) breakOff()
  })
}
