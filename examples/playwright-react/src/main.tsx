import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createPetService } from './pet-service.ts'
import './style.css'

// The default is a `pet-mock` that runs in another terminal.
const service = createPetService({
  baseUrl: import.meta.env.VITE_API_URL ?? 'http://127.0.0.1:7387/v1',
  key: import.meta.env.VITE_API_KEY ?? 'demo-free',
})

const root = document.querySelector('#app')
if (root === null) throw new Error('The page has no #app.')
createRoot(root).render(
  <StrictMode>
    <App service={service} />
  </StrictMode>,
)
