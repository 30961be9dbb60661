import { limits } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, overloaded } from '../errors.js'
import { hasBody, isLarge, joinPieces } from './body-pieces.js'
import { type BodyLine, type BodyRoom, type BodyTurn, createBodyLine, createBodyRoom } from './body-quota.js'
import { betweenRequests, createSharedPace, type Pace } from './pace.js'

/** The limits of all bodies together. */
export interface BodyBounds {
  /** Bytes in memory: of publishers' bodies, and of all others. */
  readonly publisherBytes: number
  readonly otherBytes: number
  /** Large bodies that are received at a time. */
  readonly publishersAtOnce: number
  readonly othersAtOnce: number
  /** How large bodies of others than publishers are read and parsed. */
  readonly otherPace: Pace
  /** The time in which a body must arrive, and the time that each byte adds to it. */
  readonly firstMs: number
  readonly msPerByte: number
}

const megabyte = 1_048_576

const usualBounds: BodyBounds = {
  publisherBytes: 64 * megabyte,
  otherBytes: 8 * megabyte,
  publishersAtOnce: 16,
  othersAtOnce: 4,
  otherPace: createSharedPace({ restPerWork: 3, burstMs: 10 }),
  firstMs: limits.body_seconds.value * 1000,
  msPerByte: 1000 / 2048,
}

/** An upload is given up after this time without any bytes. */
export const longestSilenceMs = 120_000

/** A body keeps others waiting for at most this long. */
const momentMs = 1000

interface BodyQuota {
  readonly room: BodyRoom
  readonly line: BodyLine
  /** How large bodies are read and parsed. */
  readonly pace: Pace
}

/** What the limits need to know about a request with a body. */
interface BodyContext {
  readonly bounds: BodyBounds
  readonly isPublisher: IsPublisher
  readonly publishers: BodyQuota
  readonly others: BodyQuota
  /** Calls back when the request has been answered or its connection is closed. */
  whenOver(done: () => void): void
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyContext: BodyContext | undefined
  }
}

/** Tells publishers from strangers, as far as a request is known. It may be asked again when more is known. */
type IsPublisher = (request: FastifyRequest) => boolean

/** Publishers have a quota of their own, which strangers cannot exhaust. */
export function addBodyBounds(
  app: FastifyInstance,
  isPublisher: IsPublisher,
  bounds: BodyBounds = usualBounds,
): void {
  const quota = (bytes: number, atOnce: number, pace: Pace): BodyQuota => ({
    room: createBodyRoom(bytes),
    line: createBodyLine(atOnce, momentMs),
    pace,
  })
  const publishers = quota(bounds.publisherBytes, bounds.publishersAtOnce, betweenRequests)
  const others = quota(bounds.otherBytes, bounds.othersAtOnce, bounds.otherPace)
  app.decorateRequest('bodyContext', undefined)
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (hasBody(request.raw)) {
      joinPieces(request.raw)
      const { socket } = request.raw
      const whenOver = (call: () => void) => {
        // A response that waits for an earlier one on its connection does not hear when the connection is closed.
        socket.setMaxListeners(0).once('close', call)
        response.once('close', () => {
          socket.off('close', call)
          call()
        })
      }
      request.bodyContext = { bounds, isPublisher, publishers, others, whenOver }
    }
    done()
  })
}

/** Watches over a body while it arrives. */
export interface BodyWatch {
  /** A piece of the body has arrived. */
  note(bytes: number): void
  /** The body is complete. Its bytes count until the request is over. */
  complete(): void
  /** Stops watching: what came so far is no longer in memory, and what follows has other limits. */
  end(): void
}

export const bodyTooLarge = (most: number) =>
  new ApiError(413, `The body is larger than the ${most.toLocaleString('en')} bytes that are possible here.`)
const bodyTooSlow = () =>
  new ApiError(
    408,
    'The body arrived too slowly, and nothing was done. Send it again over a faster connection.',
  )

const quotaOf = (request: FastifyRequest, { isPublisher, publishers, others }: BodyContext): BodyQuota =>
  isPublisher(request) ? publishers : others

/** Waits until a large body may be received, or its rest be dropped. */
export const turnToSend = async (request: FastifyRequest): Promise<BodyTurn> => {
  const { bodyContext } = request
  return bodyContext ? quotaOf(request, bodyContext).line.enter(bodyContext.whenOver) : noTurn
}

/** The pace at which a large body is read and parsed. Small ones never wait for those of strangers. */
export const paceOf = (request: FastifyRequest, small: Pace = betweenRequests): Pace => {
  const { bodyContext } = request
  return bodyContext && isLarge(request) ? quotaOf(request, bodyContext).pace : small
}

export const noTurn: BodyTurn = { keep() {}, leave() {} }

/**
 * Limits a body in bytes, in time, and in the memory that it takes together with all others. Calls `refuse` once
 * if it breaks a limit; the caller drops what arrives after that.
 */
export function watchBody(request: FastifyRequest, most: number, refuse: (why: ApiError) => void): BodyWatch {
  const { bodyContext } = request
  if (!bodyContext) return unwatched
  const { bounds } = bodyContext
  const begun = performance.now()
  let bytes = 0
  let isStopped = false
  const share = quotaOf(request, bodyContext).room.enter(() => stop(overloaded()))
  let timer: NodeJS.Timeout = setTimeout(checkPace, bounds.firstMs)
  const release = () => {
    isStopped = true
    clearTimeout(timer)
    share.leave()
  }
  bodyContext.whenOver(release)

  function stop(why: ApiError): void {
    release()
    refuse(why)
  }
  function checkPace(): void {
    const left = bounds.firstMs + bytes * bounds.msPerByte - (performance.now() - begun)
    if (left <= 0) stop(bodyTooSlow())
    else timer = setTimeout(checkPace, left)
  }
  return {
    note(more) {
      if (isStopped) return
      bytes += more
      if (bytes > most) stop(bodyTooLarge(most))
      else share.take(more)
    },
    complete() {
      clearTimeout(timer)
      share.keep()
    },
    end: release,
  }
}

/** For requests that announce no body. */
const unwatched: BodyWatch = { note() {}, complete() {}, end() {} }
