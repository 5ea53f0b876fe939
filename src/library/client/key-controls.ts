import type { Ask } from './ask-plane.ts'
import type { KeyControls, KeyState } from './controls.ts'

/** `sandbox`: whose name a key may bear. */
export function keyControls(ask: Ask, sandbox: string | undefined): KeyControls {
  const suffix = `+${sandbox ?? 'default'}`
  const bare = (key: string) => (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key)
  const pathOf = (key: string, action = '') => `/keys/${encodeURIComponent(bare(key))}${action}`
  const list = async () => (await ask<{ readonly keys: readonly KeyState[] }>('GET', '/keys')).keys
  return {
    list,
    get: async key => (await list()).find(state => state.key === bare(key)),
    add: (key, standing) => ask<KeyState>('POST', '/keys', { key: bare(key), ...standing }),
    change: (key, change) => ask<KeyState>('PATCH', pathOf(key), change),
    delete: key => ask<KeyState>('DELETE', pathOf(key)),
    ban: (key, options) => ask<KeyState>('POST', pathOf(key, '/ban'), { ...options }),
    unban: key => ask<KeyState>('POST', pathOf(key, '/unban')),
  }
}
