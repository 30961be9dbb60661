import { FileInput, NativeSelect, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../data/session.js'
import { QuickForm } from '../../../ui/form-dialog.js'
import { LanguagePicker } from '../../../ui/language-picker.js'
import { sayDone } from '../../../ui/notices.js'
import { sendAudio } from './send-audio.js'
import { strings } from './strings.js'

interface UploadAudioProps {
  readonly videoId: string
  onSent(): void
}

const kinds = Object.entries(strings.kinds).map(([value, label]) => ({ value, label }))

/** The form for a new audio track, with the progress of its upload. */
export function UploadAudio({ videoId, onSent }: UploadAudioProps) {
  const session = useSession()
  const [file, setFile] = useState<File | null>(null)
  const [language, setLanguage] = useState<string | null>(null)
  const [kind, setKind] = useState('main')
  const [share, setShare] = useState<number>()
  const send = async () => {
    if (!file) throw new Error(strings.noFile)
    try {
      await sendAudio(session, videoId, { file, language, kind }, setShare)
    } finally {
      setShare(undefined)
    }
  }
  const sent = () => {
    sayDone(strings.added)
    onSent()
  }
  return (
    <QuickForm label={strings.upload} send={send} onSent={sent}>
      {(problem) => (
        <>
          <FileInput
            label={strings.file}
            description={strings.fileAbout}
            accept="audio/*,video/*"
            value={file}
            onChange={setFile}
            required
          />
          <LanguagePicker label={strings.language} clearable value={language} onChange={setLanguage} />
          <NativeSelect
            label={strings.kind}
            data={kinds}
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          />
          {share !== undefined && <Progress aria-label={strings.progress} value={share * 100} />}
          {problem && (
            <Text role="alert" c="red">
              {problem}
            </Text>
          )}
        </>
      )}
    </QuickForm>
  )
}
