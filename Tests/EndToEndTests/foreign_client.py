"""Calls the daemon with the PyPI package `varlink`, which shares no code with ours."""

import sys

import varlink

with varlink.Client.new_with_address("unix:" + sys.argv[1]) as client:
    info = client.get_interface("org.varlink.service")
    with client.open("org.varlink.service") as service:
        interfaces = service.GetInfo()["interfaces"]
        assert "io.bracketd" in interfaces, interfaces
    with client.open("io.bracketd") as bracketd:
        status = bracketd.GetStatus()["status"]
        connection = next(chart for chart in status["charts"] if chart["name"] == "connection")
        assert connection["state"] == "connected" and connection["configuration"] == ["connected"], status
        assert len(connection["digest"]) == 64, status
        try:
            bracketd.Pause()
        except varlink.VarlinkError as error:
            assert error.error() == "io.bracketd.NotNow", error
        else:
            raise AssertionError("Pause was taken with nothing to pause")
        try:
            bracketd.Plan({"shadow": "1/7777"})
        except varlink.VarlinkError as error:
            assert error.error() == "io.bracketd.InvalidPlan", error
            assert error.parameters()["parameter"] == "shadow", error.parameters()
        else:
            raise AssertionError("a wrong speed was taken")
        plan = {"shadow": "1/60", "highlight": "1/250", "frames": 3}
        last = None
        for reply in bracketd.Shoot(plan, _more=True):
            last = reply["progress"]
            print(last["phase"])
        print(last["sentence"])
