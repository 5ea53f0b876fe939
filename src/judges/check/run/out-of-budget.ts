/** No calls or no time is left: the rest of the run is skipped. */
export class OutOfBudget extends Error {}

/** Only the calls held back are left. */
export class OnlyReserve extends OutOfBudget {}
