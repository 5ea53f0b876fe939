import type { Command } from '../../control/scenario/file.ts'

type Change = Command

/** Replaces the keys of a walkthrough for the server that it is played against. */
export interface KeyReplacement {
  /** The sandbox that `key` names. All calls use it. */
  readonly sandbox: string | undefined
  /** Takes and returns names and values in turn. */
  readonly inHeaders: (headers: readonly string[]) => readonly string[]
  readonly inChange: (change: Change) => Change
}

/** Puts `key` where the walkthrough has the scenario's key, and adds its sandbox to all other keys. */
export function replaceKey(scenarioKey: string, key: string): KeyReplacement {
  const plus = key.lastIndexOf('+')
  const sandbox = plus === -1 ? undefined : key.slice(plus + 1)
  const withoutSandbox = plus === -1 ? key : key.slice(0, plus)
  const inBearer = (value: string) => {
    if (value === `Bearer ${scenarioKey}`) return `Bearer ${key}`
    return sandbox === undefined ? value : `${value}+${sandbox}`
  }
  return {
    sandbox,
    inHeaders: headers =>
      headers.map((text, at) =>
        headers[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1 && text.startsWith('Bearer ')
          ? inBearer(text)
          : text,
      ),
    inChange: change =>
      'key' in change && change.key === scenarioKey ? { ...change, key: withoutSandbox } : change,
  }
}
