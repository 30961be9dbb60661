import { randomBytes } from 'node:crypto'
import { actionPath, catalog, limits, pathOf } from '@zoetrope/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { keepAnswers } from './api/answers.js'
import { addBodies, ignoreBodies } from './api/body.js'
import { addCors } from './api/cors.js'
import { identifyEarly, isPublisher } from './api/credential.js'
import { addErrors, sendNothing } from './api/error-handler.js'
import { plainPath } from './api/format.js'
import { createRouteTable } from './api/inner-writes.js'
import { addRequestIds, logAnswered, withoutCredential } from './api/logging.js'
import { addRequestState } from './api/request-state.js'
import { addResource, pathHandler } from './api/resource-routes.js'
import { addVersions } from './api/versions.js'
import { addDashboard } from './dashboard/index.js'
import { whenAnswered } from './edge/answered.js'
import { addBodyBounds } from './edge/body-bounds.js'
import { deferContinue } from './edge/expectation.js'
import { addHealth } from './edge/health.js'
import { addLinger } from './edge/linger.js'
import { addMetrics } from './edge/metrics.js'
import { addGeoLookup, rememberAddresses } from './edge/origin.js'
import { handleInTurn } from './edge/pipelining.js'
import { warnOfProxies } from './edge/proxy-warning.js'
import { answerOddities, refuseClient } from './edge/raw-answers.js'
import { acceptedKinds, bodyKinds } from './edge/route-kinds.js'
import { eventsOfWrite } from './features/events/of-write.js'
import { withIncluded } from './features/including.js'
import { features } from './features/index.js'
import { withKnownFilters } from './features/references.js'
import type { MetricReading } from './lib/readings.js'
import type { GeoLookup } from './lib/surroundings.js'
import type { Watch } from './library/watch.js'
import { addLogin } from './login/index.js'
import type { MediaParts } from './media-segments/media-parts.js'
import { addOAuth } from './oauth/index.js'
import { addPlayback, type PlaybackAddresses } from './playback/index.js'
import type { IdentityProvider } from './publishers/identity-provider.js'
import { addPublishers } from './publishers/index.js'
import type { DropPassword, KeepKey, Mail } from './publishers/request.js'
import { addRequestLog } from './publishers/request-log.js'
import { addReference } from './reference/index.js'
import type { Parts } from './resources/feature.js'
import type { DiskFolders } from './storage/disks.js'
import { addAudioUploads } from './uploads/audio-track.js'
import { addUploads } from './uploads/index.js'
import { addPosterImages } from './uploads/poster-image.js'

export interface AppOptions {
  readonly parts: Parts
  readonly media: MediaParts
  /** Public address of the player, and the path of its script. */
  readonly player: PlaybackAddresses
  /** The folder with the dashboard's files. */
  readonly dashboardFolder: string
  /** Called when a key was replaced in the dashboard. */
  readonly keepKey: KeepKey
  /** Called when a publisher has chosen a password in the dashboard. */
  readonly dropPassword: DropPassword
  readonly mail: Mail
  /** The identity provider that publishers sign in with, if there is one. */
  readonly provider: IdentityProvider | undefined
  /** What metrics say beside the requests of this process. */
  readonly figures: () => Promise<readonly MetricReading[]>
  readonly watch: Watch
  /** The folders that may fill a disk of this machine. */
  readonly disks: DiskFolders
  readonly log: FastifyBaseLogger
  readonly apiUrl: string
  readonly version: string
  /** Memory for cached responses. */
  readonly answerBytes: number
  /** Proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Looks up where network addresses are. */
  readonly geo: GeoLookup
}

const closingMs = 3000
/** The limit for receiving a request's headers. */
const headersMs = 20_000

/** Paths that are not rewritten. */
const isOurs = (path: string) => path === '/openapi.json' || path.startsWith('/docs')

/** The HTTP server, built but not listening. */
export async function createApp({
  parts,
  media,
  player,
  dashboardFolder,
  keepKey,
  dropPassword,
  mail,
  provider,
  figures,
  watch,
  disks,
  log,
  apiUrl,
  version,
  answerBytes,
  trustedProxies,
  geo,
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: withoutChildren(log),
    // Node would reject such a request without a message.
    http: { requireHostHeader: false, headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 4 },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.body_bytes.value,
    routerOptions: {
      maxParamLength: limits.url_bytes.value,
      querystringParser: () => ({}),
      constraints: { body: bodyKinds, accept: acceptedKinds },
    },
    rewriteUrl: (request) => plainPath(request.url ?? '/', isOurs),
    // An address that cannot even be read.
    frameworkErrors: (_error, request, reply) => sendNothing(request, reply),
    clientErrorHandler: refuseClient,
  })
  // A connection without any request would delay a stopping server for a minute.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), closingMs).unref()
  })
  addRequestState(app)
  addErrors(app, disks.database)
  ignoreBodies(app)
  addBodyBounds(app, isPublisher)
  // After the limits of bodies, which also hold for requests that wait.
  handleInTurn(app)
  addLinger(app)
  addGeoLookup(app, geo)
  rememberAddresses(app.server)
  answerOddities(app.server)
  deferContinue(app.server)
  addRequestIds(app)
  addCors(app)
  addVersions(app)
  if (trustedProxies.length === 0) warnOfProxies(app)
  const logRequest = addRequestLog(app, parts.database.db)
  whenAnswered(app, withoutCredential, [logAnswered, logRequest, addMetrics(app, figures)])
  addHealth(app, parts.database, () => watch.seen().map(({ sentence }) => sentence))
  await app.register(async (scope) =>
    addReference(scope, async () => {
      // The document is large, and a start does not need it.
      const { openApi } = await import('./reference/openapi/document.js')
      return openApi({ apiUrl, version })
    }),
  )
  const answers = keepAnswers(answerBytes)
  const routes = createRouteTable(eventsOfWrite)
  await app.register(async (scope) => {
    addBodies(scope, (request) => identifyEarly(parts, request))
    for (const name of Object.keys(catalog) as (keyof typeof catalog)[])
      addResource(
        scope,
        parts,
        answers,
        catalog[name],
        withIncluded(catalog[name], withKnownFilters(features[name])),
        routes,
      )
  })
  await app.register(async (scope) => {
    addBodies(scope)
    addOAuth(scope, parts)
  })
  await app.register(async (scope) => {
    addBodies(scope)
    addLogin(scope, parts)
  })
  const { videos } = catalog
  const withoutFile = (path: string) => pathHandler(parts, answers, videos, features.videos, routes, path)
  await app.register(async (scope) => addUploads(scope, parts, media, withoutFile(pathOf(videos, 'create'))))
  const { audio_tracks } = catalog
  const audioWithoutFile = pathHandler(
    ...([parts, answers, audio_tracks, features.audio_tracks, routes] as const),
    pathOf(audio_tracks, 'create'),
  )
  await app.register(async (scope) => addAudioUploads(scope, parts, audioWithoutFile))
  await app.register(async (scope) =>
    addPosterImages(scope, parts, media, withoutFile(actionPath(videos, 'poster'))),
  )
  await app.register(async (scope) =>
    addPublishers(scope, { parts, media, watch, mail, provider, keepKey, dropPassword }),
  )
  await app.register(async (scope) => addPlayback(scope, parts, media, player))
  await app.register(async (scope) =>
    addDashboard(scope, { folder: dashboardFolder, mediaUrls: mediaUrlsOf(apiUrl, parts, player) }),
  )
  return app
}

const mediaUrlsOf = (apiUrl: string, { mediaUrl }: Parts, { playerUrl, storeUrl }: PlaybackAddresses) => [
  ...[apiUrl, playerUrl, mediaUrl],
  ...(storeUrl ? [storeUrl] : []),
]

/** Fastify makes a child logger for each request, which would cost more than its one line. */
function withoutChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  const itself: FastifyBaseLogger = Object.create(log, { child: { value: () => itself } })
  return itself
}

/** Unique across nodes and cheap: a random prefix and a counter. */
function requestIds(): () => string {
  const origin = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${origin}-${count.toString(36)}`
  }
}
