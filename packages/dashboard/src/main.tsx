// First, so that the styles of our components come after Mantine's and win.
import './styles.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'

/** The one that the server's policy allows styles with; see packages/server/src/dashboard. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

const root = document.getElementById('root')
if (root) createRoot(root).render(<App nonce={nonce} />)
