// Imported first, so that our component styles come after Mantine's and override them.
import './styles.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'

/** The nonce that the server's content security policy allows for styles; see packages/server/src/dashboard. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

const root = document.getElementById('root')
if (root) createRoot(root).render(<App nonce={nonce} />)
