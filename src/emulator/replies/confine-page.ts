/** A page at the address of the API could read the admin plane, which has the same origin. This gives it an origin of its own. */
export const sandboxed = { 'Content-Security-Policy': 'sandbox' }

/** It lets a service worker of the API have the admin plane's paths, too. */
export const workerScope = 'service-worker-allowed'

/** Confines what a browser could run: an answer of a rule or of an open area may have any type. */
export function confinePage(headers: Record<string, string>): void {
  if (!/html|xml|script/i.test(headers['Content-Type'] ?? '')) return
  const own = headers['Content-Security-Policy']
  const { 'Content-Security-Policy': policy } = sandboxed
  headers['Content-Security-Policy'] = own === undefined ? policy : `${own}, ${policy}`
  delete headers['Service-Worker-Allowed']
}
