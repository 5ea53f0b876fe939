import { assumedContractChecks, contractChecks } from '../contract/contract-report.ts'
import type { Severity } from '../report/finding.ts'
import texts from './checks.json' with { type: 'json' }

/** A check of a service, for `pet-mock check` and `pet-mock proxy` alike. */
interface ServiceCheck {
  /** What must hold, as a sentence without its full stop. */
  readonly says: string
  /** The origin of the requirement: `specification, “Errors”`. */
  readonly source: string
  /** An error if the specification or an RFC says it. `info` if it is assumed: services may differ. */
  readonly severity: Severity
}

const { 'contract-request': _ofClients, ...contract } = contractChecks
const { 'error-shape': errorShape, ...marked } = assumedContractChecks

const { specification, rfc, assumption, proxy } = texts
const { A21, ...assumptions } = assumption

type IdsOf<Sections> = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]

/** The ids are public: reports name them. */
export type CheckId =
  | IdsOf<typeof specification>
  | keyof typeof contract
  | IdsOf<typeof rfc>
  | IdsOf<typeof assumption>
  | keyof typeof assumedContractChecks

function from(
  sections: Readonly<Record<string, Readonly<Record<string, string>>>>,
  sourceOf: (section: string) => string,
  severity: Severity = 'error',
) {
  return Object.entries(sections).flatMap(([section, sentences]) => {
    const source = sourceOf(section)
    return Object.entries(sentences).map(([id, says]) => [id, { says, source, severity }] as const)
  })
}

export const checks = Object.fromEntries([
  ...from(specification, section => `specification, “${section}”`),
  ...from({ responses: contract }, part => `contract, ${part}`),
  ...from(rfc, section => section),
  ...from({ ...assumptions, A20: { 'error-shape': errorShape }, A21 }, id => `assumption ${id}`, 'info'),
  ...from({ marked }, () => 'contract, x-assumption', 'info'),
]) as Readonly<Record<CheckId, ServiceCheck>>

/** All but the one that needs the traffic of clients. */
export const checkIds = (Object.keys(checks) as readonly CheckId[]).filter(id => id !== 'limit-reset-steady')

export type ProxyCheckId = keyof typeof proxy

/** The checks of `pet-mock proxy`, apart from those of the contract. */
export const proxyIds = Object.keys(proxy) as readonly ProxyCheckId[]

export function isProxyCheck(id: CheckId): id is ProxyCheckId {
  return id in proxy
}

export function remedyOf(id: CheckId): string {
  const { source, severity } = checks[id]
  if (severity === 'info')
    return `The service may differ here: the specification does not say this (${source} of pet-mock, docs/assumptions.md).`
  return [isProxyCheck(id) && proxy[id], `Required by: ${source}.`].filter(Boolean).join(' ')
}

/** Why a check that needs a response of some kind was not made. */
export const situations: Partial<Record<CheckId, string>> = texts.situations
