// First: a signal that comes while the rest is loaded is kept for it.
import { signals } from '@pushfleet/service-kit/signals';
import { runRole } from '@pushfleet/service-kit';
import { role } from './role';

void runRole(role, signals);
