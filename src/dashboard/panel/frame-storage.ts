import type { TokenStorage } from '../state/login.ts'

/** The tab's storage. A browser may refuse it to a frame in another page: then the token lasts as long as the frame. */
export function frameStorage(): TokenStorage {
  try {
    return window.sessionStorage
  } catch {
    const values = new Map<string, string>()
    return {
      getItem: name => values.get(name) ?? null,
      setItem: (name, value) => void values.set(name, value),
      removeItem: name => void values.delete(name),
    }
  }
}
