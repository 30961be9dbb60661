import { limits } from '@zoetrope/contract'
import { ZoetropeError } from '@zoetrope/sdk'
import { useRef, useState } from 'react'
import { useSession } from '../../../data/session.js'
import { languageOf } from '../../../ui/languages.js'
import { sayDone, sayFailed } from '../../../ui/notices.js'
import { inList } from '../../../ui/numbers.js'
import { explain } from '../../../ui/states.js'
import { base64Of } from './cues.js'
import { guessFromName, guessLanguage } from './guess-language.js'
import { strings } from './strings.js'

/** A subtitle file that was chosen and is not uploaded yet. */
export interface NewFile {
  readonly key: number
  readonly file: File
  readonly language: string | null
  /** Empty for the usual label. */
  readonly title: string
  readonly isDefault: boolean
  readonly isForced: boolean
  readonly isSending: boolean
  readonly problem: string | undefined
}

const most = limits.subtitle_bytes.value

/** Browsers give audio, video and pictures a type, and most subtitles none. */
const isText = ({ type }: File) => !/^(audio|video|image|font)\/|\/(pdf|zip)$/.test(type)

/** Enough of a file to recognise its language. */
const readBytes = 20_000

async function described(file: File, key: number): Promise<NewFile> {
  const { isForced, isForDeaf } = guessFromName(file.name)
  const start = await file
    .slice(0, readBytes)
    .text()
    .catch(() => '')
  const language = guessLanguage(file.name, start.replace(/<[^>]*>|\d/g, '')) ?? null
  const name = language === null ? undefined : languageOf(language)?.english
  return {
    key,
    file,
    language,
    title: isForDeaf && name !== undefined ? strings.deaf(name) : '',
    isDefault: false,
    isForced,
    isSending: false,
    problem: file.size > most ? strings.notAdded(file.name, strings.tooLarge(file.size, most)) : undefined,
  }
}

/** The server's reason, without the words about the request around it. */
function whyNot(file: File, error: unknown): string {
  const reasons = error instanceof ZoetropeError ? (error.errors.file ?? []) : []
  return strings.notAdded(file.name, reasons[0] ?? explain(error).about)
}

/** The files to upload, one subtitle for each. A file that fails stays, and does not stop the others. */
export function useNewFiles(videoId: string, renew: () => void) {
  const { client } = useSession()
  const [files, setFiles] = useState<readonly NewFile[]>([])
  const lastKey = useRef(0)
  const change = (key: number, fields: Partial<NewFile>) =>
    setFiles((old) => old.map((each) => (each.key === key ? { ...each, ...fields } : each)))
  const remove = (key: number) => setFiles((old) => old.filter((each) => each.key !== key))

  const send = async ({ key, file, language, title, isDefault, isForced }: NewFile): Promise<boolean> => {
    if (language === null) {
      change(key, { problem: strings.noLanguage })
      return false
    }
    change(key, { isSending: true, problem: undefined })
    try {
      await client.subtitles.create(videoId, {
        language,
        file: base64Of(new Uint8Array(await file.arrayBuffer())),
        file_file_name: file.name,
        default: isDefault,
        forced: isForced,
        ...(title.trim() === '' ? {} : { title: title.trim() }),
      })
    } catch (error) {
      change(key, { isSending: false, problem: whyNot(file, error) })
      return false
    }
    remove(key)
    renew()
    return true
  }

  return {
    files,
    change,
    remove,
    isSending: files.some(({ isSending }) => isSending),
    async add(chosen: readonly File[]): Promise<void> {
      const others = chosen.filter((file) => !isText(file)).map(({ name }) => name)
      if (others.length > 0) sayFailed(strings.notTaken, new Error(strings.notSubtitles(inList(others))))
      const made = await Promise.all(
        chosen.filter(isText).map((file) => {
          lastKey.current += 1
          return described(file, lastKey.current)
        }),
      )
      setFiles((old) => [...old, ...made])
    },
    /** One after the other, so that the last one with `isDefault` is the default. */
    async sendAll(): Promise<void> {
      let count = 0
      for (const file of files) if (file.file.size <= most && (await send(file))) count += 1
      if (count > 0) sayDone(strings.added(count))
    },
  }
}
