import { openPlatform } from '../platform.js'
import { type Command, readOptions } from './define-command.js'
import { lookForFfmpeg } from './look-for-ffmpeg.js'
import { preflight } from './preflight.js'
import { stopSignal, untilStopped } from './until-stopped.js'
import { startWorkerProcesses } from './worker-processes.js'

export const start: Command = {
  usage: 'zoetrope start',
  about: 'Starts the platform: the API, its workers and, without DATABASE_URL, its own PostgreSQL.',
  async run(args, { config, problems, print }) {
    readOptions(args, {})
    // From the beginning, because a start interrupted by Ctrl-C must also clean up.
    const asked = stopSignal()
    const claim = await preflight(config, problems)
    await untilStopped(config, asked, async (log, onClose) => {
      onClose(claim.release)
      const ffmpeg = lookForFfmpeg(config)
      const opening = openPlatform(config, (line) => log.logger.debug({ from: 'postgresql' }, line), {
        beforeNew: async () => (await import('../open-media.js')).refuseBesideFilms(config),
      })
      // Loading the API's code takes longer than starting PostgreSQL, so both run in parallel.
      const loading = import('./serve.js')
      loading.catch(() => {})
      const platform = await opening
      onClose(platform.close)
      const { serve } = await loading
      const server = await serve(config, platform, log, ffmpeg)
      onClose(server.stop)
      const workers = startWorkerProcesses({
        count: config.workers,
        onGone: server.takeBack,
        log: log.logger,
      })
      onClose(workers.stop)
      print(server.welcome)
    })
  },
}
