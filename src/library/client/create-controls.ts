import type { Ask } from './ask-plane.ts'
import type {
  ClockState,
  ConductReport,
  Controls,
  KeyControls,
  KeyState,
  RuleState,
  Snapshot,
} from './controls.ts'
import { createPetControls } from './pet-controls.ts'
import { createRequestControls } from './request-controls.ts'

/** Each method sends one command to the admin plane. `sandbox`: keys may have this name at their end. */
export function createControls(ask: Ask, sandbox = 'default'): Controls {
  return {
    clock: {
      advance: by => ask<ClockState>('POST', '/clock/advance', typeof by === 'string' ? { by } : by),
      freeze: options => ask<ClockState>('POST', '/clock/freeze', { ...options }),
      resume: options => ask<ClockState>('POST', '/clock/resume', { ...options }),
      reset: () => ask<ClockState>('POST', '/clock/reset'),
      now: async () => new Date((await ask<ClockState>('GET', '/clock')).at),
    },
    pets: createPetControls(ask),
    apiKeys: createKeyControls(ask, `+${sandbox}`),
    requests: createRequestControls(ask),
    conduct: ({ flights } = {}) => ask<ConductReport>('GET', '/conduct', undefined, { flights }),
    rules: {
      list: async () => (await ask<{ readonly rules: readonly RuleState[] }>('GET', '/rules')).rules,
      add: rule => ask<RuleState>('POST', '/rules', rule),
      remove: name => ask<RuleState>('DELETE', `/rules/${encodeURIComponent(name)}`),
    },
    reset: async () => {
      await ask('POST', '/reset')
    },
    snapshot: () => ask<Snapshot>('GET', '/snapshot'),
    restore: async snapshot => {
      await ask('PUT', '/snapshot', snapshot)
    },
  }
}

function createKeyControls(ask: Ask, suffix: string): KeyControls {
  const plain = (key: string) => (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key)
  const pathOf = (key: string, action = '') => `/keys/${encodeURIComponent(plain(key))}${action}`
  const list = async () => (await ask<{ readonly keys: readonly KeyState[] }>('GET', '/keys')).keys
  return {
    list,
    get: async key => (await list()).find(state => state.key === plain(key)),
    add: (key, standing) => ask<KeyState>('POST', '/keys', { key: plain(key), ...standing }),
    change: (key, change) => ask<KeyState>('PATCH', pathOf(key), change),
    delete: key => ask<KeyState>('DELETE', pathOf(key)),
    ban: (key, options) => ask<KeyState>('POST', pathOf(key, '/ban'), { ...options }),
    unban: key => ask<KeyState>('POST', pathOf(key, '/unban')),
  }
}
