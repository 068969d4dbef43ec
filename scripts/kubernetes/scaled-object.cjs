/** One more worker for each so many seconds that the oldest push has waited; direct pushes are waited for by people. */
const SECONDS_PER_REPLICA = { direct: 5, bulk: 60 };

const triggersOf = ({ channel }) =>
  channel
    ? [
        [`channel-${channel}`, SECONDS_PER_REPLICA.direct],
        [`channel-${channel}-bulk`, SECONDS_PER_REPLICA.bulk],
      ]
    : [
        ['push-requests', SECONDS_PER_REPLICA.direct],
        ['push-schedule', SECONDS_PER_REPLICA.direct],
      ];

const trigger = ([queue, threshold]) => ({
  type: 'prometheus',
  metricType: 'AverageValue',
  metadata: {
    serverAddress: 'http://prometheus.monitoring.svc:9090',
    query: `max(pushfleet_queue_oldest_push_age_seconds{queue="${queue}"})`,
    threshold: String(threshold),
    // Without a dispatcher nobody measures: that is no reason to send workers home.
    ignoreNullValues: 'false',
  },
});

/** Scales a workload by the age of the oldest push with work on its queues, whatever its processors do. */
const scaledObject = (workload) => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: workload.name },
  spec: {
    scaleTargetRef: { name: workload.name },
    pollingInterval: 15,
    minReplicaCount: 2,
    maxReplicaCount: 10,
    fallback: { failureThreshold: 3, replicas: 3 },
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 2, periodSeconds: 30 }] },
          scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        },
      },
    },
    triggers: triggersOf(workload).map(trigger),
  },
});

module.exports = { scaledObject };
