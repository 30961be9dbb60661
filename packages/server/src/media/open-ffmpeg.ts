import { findFfmpeg, type WhereToLook } from './find-ffmpeg.js'
import { openRangeServer, type RangeServer } from './range-server.js'
import { type Ffmpeg, runFfmpeg } from './run-ffmpeg.js'
import { detectSandbox, type Sandbox } from './sandbox.js'

export interface OpenedFfmpeg extends Ffmpeg {
  /** Whether this build has the filters that turn HDR into SDR. */
  readonly canToneMap: boolean
  /** Offers files that are elsewhere to it; `undefined` if that is impossible here. Started when it is first needed. */
  readonly ranges: () => Promise<RangeServer | undefined>
}

/** The ffmpeg of this machine. If it is missing, it may be installed while the process runs. */
export interface LocalFfmpeg {
  /** Undefined while there is none. */
  current(): OpenedFfmpeg | undefined
  /** Why there is none, and what to install. Empty if there is one. */
  problem(): string
  /** The current one. Throws the problem if there is none. */
  need(): OpenedFfmpeg
  /** Searches again if there is none. */
  look(): Promise<void>
}

/** Finds ffmpeg, and detects what it and this system support. */
export async function openFfmpeg(where: WhereToLook = {}): Promise<LocalFfmpeg> {
  // Detection costs several processes, and the system does not change.
  const sandbox = detectSandbox()
  let found: OpenedFfmpeg | undefined
  let problem = ''
  const look = async () => {
    if (found) return
    const opened = await tryToOpen(where, sandbox)
    if (typeof opened === 'string') problem = opened
    else [found, problem] = [opened, '']
  }
  await look()
  return {
    current: () => found,
    problem: () => problem,
    need() {
      if (!found) throw new Error(problem)
      return found
    },
    look,
  }
}

const tryAgainMs = 60_000

/** ffmpeg, or why there is none. */
async function tryToOpen(where: WhereToLook, detecting: Promise<Sandbox>): Promise<OpenedFfmpeg | string> {
  const [search, sandbox] = await Promise.all([findFfmpeg(where), detecting])
  if (search.programs === undefined) return search.reason
  const ffmpeg = { programs: search.programs, sandbox }
  let ranges: Promise<RangeServer | undefined> | undefined
  const plan = { program: 'ffmpeg', args: ['-filters'], pipes: 0, files: [] } as const
  try {
    const filters = (await runFfmpeg(ffmpeg, plan, { limits: { seconds: 20 } })).toString('latin1')
    return {
      ...ffmpeg,
      canToneMap: /\szscale\s/.test(filters) && /\stonemap\s/.test(filters),
      ranges: () => {
        ranges ??= openRangeServer(ffmpeg)
          .catch(() => undefined)
          .then((opened) => {
            // On a busy machine it may only have taken too long.
            if (!opened) setTimeout(() => (ranges = undefined), tryAgainMs).unref()
            return opened
          })
        return ranges
      },
    }
  } catch (error) {
    return `${search.programs.ffmpeg} does not run on this system. ${(error as Error).message}`
  }
}
