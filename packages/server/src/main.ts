import { runCommandLine } from './command-line.js'

// The client of S3 would print at every start that versions of 2027 need another Node. The lock file has the version we tried.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

const code = await runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
})
if (code !== 0) process.exit(code)
