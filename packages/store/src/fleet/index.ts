export { type AuditChanges, type AuditEntry, type AuditLog, openAuditLog } from './audit-log';
export { type FleetClock, openFleetClock } from './fleet-clock';
export { PROCESS_KEYS, processKeys } from './keys';
export { type FleetProcess, openProcesses, processName, type ProcessStore } from './processes';
export { openSettings, type SettingsVersions } from './settings';
