import { runCommandLine } from './command-line.js'

const code = await runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
})
if (code !== 0) process.exit(code)
