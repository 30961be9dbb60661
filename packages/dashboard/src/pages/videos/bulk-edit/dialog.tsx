import { useState } from 'react'
import type { Video } from '../../../data/records.js'
import { Dialog } from '../../../ui/form-dialog.js'
import type { Edit } from './edits.js'
import { FieldsStep } from './fields-step.js'
import { PreviewStep } from './preview-step.js'
import { ResultStep } from './result-step.js'
import { strings } from './strings.js'
import { useApply } from './use-apply.js'

interface BulkEditProps {
  readonly videos: readonly Video[]
  onClose(): void
}

/** Edits several videos at once, in three steps: choose fields, preview, then the result with an undo. */
export function BulkEdit({ videos: given, onClose: close }: BulkEditProps) {
  // The selection may change meanwhile, but the edited videos do not.
  const [videos] = useState(given)
  const [edits, setEdits] = useState<readonly Edit[]>([])
  const [step, setStep] = useState<'fields' | 'preview' | 'result'>('fields')
  const apply = useApply(edits)
  const onClose = () => {
    close()
    apply.offerUndo()
  }
  const isBusy = ['trying', 'changing', 'undoing'].includes(apply.state)
  return (
    <Dialog title={strings.title(videos.length)} isOpen onClose={onClose} isBusy={isBusy} isWide>
      {step === 'fields' && (
        <FieldsStep
          edits={edits}
          onChange={setEdits}
          onNext={() => {
            setStep('preview')
            void apply.preview(videos)
          }}
        />
      )}
      {step === 'preview' && (
        <PreviewStep
          apply={apply}
          count={videos.length}
          onBack={() => setStep('fields')}
          onApply={(changing) => {
            setStep('result')
            void apply.run(changing)
          }}
        />
      )}
      {step === 'result' && <ResultStep apply={apply} onClose={onClose} />}
    </Dialog>
  )
}
