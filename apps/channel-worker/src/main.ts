// First, so that a signal which arrives while the rest is loaded is not lost.
import { signals } from '@pushfleet/service-kit/signals';
import { runRole } from '@pushfleet/service-kit';
import { role } from './role';

void runRole(role, signals);
